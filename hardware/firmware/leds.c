/* Three wires to a chain of MAX7219s: D11 (PB3) to DIN, D13 (PB5) to CLK, D10 (PB2) to CS, also called LOAD.

   The pins are moved by hand and not by the SPI unit: a whole picture for eight modules takes a millisecond this way,
   and any three pins would do. A MAX7219 takes data at the rising edge of CLK, up to 10 MHz; ours is below 2. */
#include "leds.h"

#include <avr/io.h>

#define DIN _BV(PB3)
#define CLK _BV(PB5)
#define LOAD _BV(PB2)

enum { DIGIT0 = 1, DECODE = 9, INTENSITY = 10, SCAN_LIMIT = 11, SHUTDOWN = 12, TEST = 15 };

static void shift(uint8_t byte)
{
    for (uint8_t bit = 0x80; bit; bit >>= 1) {
        if (byte & bit)
            PORTB |= DIN;
        else
            PORTB &= (uint8_t)~DIN;
        PORTB |= CLK;
        PORTB &= (uint8_t)~CLK;
    }
}

/* The same register of every module; the first value goes furthest down the chain. */
static void send(uint8_t place, const uint8_t *values, uint8_t step)
{
    PORTB &= (uint8_t)~LOAD;
    for (uint8_t module = 0; module < MODULES; module++, values += step) {
        shift(place);
        shift(*values);
    }
    PORTB |= LOAD;
}

static void send_all(uint8_t place, uint8_t value)
{
    send(place, &value, 0);
}

void leds_begin(void)
{
    PORTB |= LOAD;
    DDRB |= DIN | CLK | LOAD;
}

void leds_show(const uint8_t columns[WIDTH], uint8_t intensity)
{
    send_all(TEST, 0);
    send_all(DECODE, 0);
    send_all(SCAN_LIMIT, 7);
    send_all(INTENSITY, intensity);
    for (uint8_t row = 0; row < 8; row++) {
#ifdef DIGITS8
        /* Digit 7 is the leftmost. */
        send_all(DIGIT0 + row, columns[7 - row]);
#else
        /* Modules of the kind FC-16: the input is on the right, a register is a row from the top, bit 7 its left
           pixel. TURNED is for a chain hung upside down. */
        uint8_t values[MODULES];
        for (uint8_t module = 0; module < MODULES; module++) {
            uint8_t value = 0;
            for (uint8_t column = 0; column < 8; column++) {
#ifdef TURNED
                uint8_t pixels = columns[WIDTH - 1 - 8 * module - column] >> (7 - row);
#else
                uint8_t pixels = columns[8 * module + column] >> row;
#endif
                value = (uint8_t)(value << 1) | (pixels & 1);
            }
            values[module] = value;
        }
        send(DIGIT0 + row, values, 1);
#endif
    }
    send_all(SHUTDOWN, 1); /* that is: not shut down; last, so that what was in the registers never flares up */
}
