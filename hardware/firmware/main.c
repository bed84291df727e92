/* The scoreboard on an ATmega328P at 16 MHz (Arduino Nano or Uno): a serial line in, LEDs out.

   The loop never waits: bytes come and go through rings that interrupts empty and fill, a timer counts milliseconds,
   and between them the processor sleeps. There is no watchdog: the bootloader of old Nanos does not survive one. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <string.h>
#include <util/atomic.h>

#include "board.h"
#include "leds.h"

#define HEARD 128 /* bytes that wait: 11 ms of the line, more than a picture takes */
#define SAID 128
#define DRAW_MS 20
#define REFRESH_MS 1000

/* --- time */

static volatile uint32_t milliseconds;

ISR(TIMER0_COMPA_vect)
{
    milliseconds++;
}

static uint32_t clock(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) now = milliseconds;
    return now;
}

/* --- the serial line; 115,200 baud, of which 16 MHz make 117,647: 2.1 % off, as with every Arduino */

static volatile uint8_t heard[HEARD], said[SAID];
static volatile uint8_t heard_in, heard_out, said_in, said_out;

ISR(USART_RX_vect)
{
    uint8_t broken = UCSR0A & (_BV(FE0) | _BV(DOR0)), byte = UDR0, next = (heard_in + 1) % HEARD;
    if (next != heard_out) {
        heard[heard_in] = broken ? 0xFF : byte; /* no line holds a 0xFF: this one is damaged */
        heard_in = next;
    }
}

ISR(USART_UDRE_vect)
{
    if (said_out == said_in) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    } else {
        UDR0 = said[said_out];
        said_out = (said_out + 1) % SAID;
    }
}

void board_send(uint8_t byte)
{
    uint8_t next = (said_in + 1) % SAID;
    while (next == said_out)
        ; /* the line is slower than we are; what comes meanwhile is heard by interrupt */
    said[said_in] = byte;
    said_in = next;
    UCSR0B |= _BV(UDRIE0);
}

static void begin(void)
{
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = _BV(OCIE0A);
    UCSR0A = _BV(U2X0);
    UBRR0 = F_CPU / 8 / 115200 - 1;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    leds_begin();
    sei();
}

int main(void)
{
    static uint8_t columns[WIDTH], up[WIDTH];
    uint8_t intensity_up = 0xFF;
    uint32_t drawn = 0, refreshed = 0;
    begin();
    board_begin(clock());
    for (bool news = true;;) {
        while (heard_out != heard_in) {
            uint8_t byte = heard[heard_out];
            heard_out = (heard_out + 1) % HEARD;
            news |= board_byte(byte, clock());
        }
        uint32_t now = clock();
        if (news || now - drawn >= DRAW_MS) {
            uint8_t intensity = board_picture(now, columns);
            drawn = now;
            news = false;
            if (intensity != intensity_up || memcmp(columns, up, WIDTH) || now - refreshed >= REFRESH_MS) {
                leds_show(columns, intensity);
                memcpy(up, columns, WIDTH);
                intensity_up = intensity;
                refreshed = now;
            }
        }
        cli();
        if (heard_out == heard_in) {
            sleep_enable();
            sei(); /* takes effect after the next instruction: no interrupt gets lost between the two */
            sleep_cpu();
            sleep_disable();
        }
        sei();
    }
}
