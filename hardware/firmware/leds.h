/* The chain of MAX7219s. */
#ifndef LEDS_H
#define LEDS_H

#include "board.h"

/* Takes the pins. */
void leds_begin(void);

/* Shows these columns. Everything else a MAX7219 should know is said again every time: a module that was plugged in
   late, or upset by a spark, is right after the next refresh. */
void leds_show(const uint8_t columns[WIDTH], uint8_t intensity);

#endif
