/* The scoreboard without its pins: what it hears, what it knows, what it shows.

   board.c speaks the protocol (hardware/protocol.py documents it), picture.c draws. Neither touches a register, so
   that the tests run the very same code on their own machine. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#ifndef PROTOCOL_VERSION
#define PROTOCOL_VERSION 1
#endif

/* What the LEDs are, chosen at build time: exactly one of MATRIX4, MATRIX8, DIGITS8. FULL is the MAX7219 intensity of
   brightness 15: as bright as 500 mA from a USB port allow for text. */
#if defined(MATRIX4)
#define DISPLAY_NAME "matrix4"
#define MODULES 4
#define FULL 10
#elif defined(MATRIX8)
#define DISPLAY_NAME "matrix8"
#define MODULES 8
#define FULL 4
#elif defined(DIGITS8)
#define DISPLAY_NAME "digits8"
#define MODULES 1
#define FULL 15
#else
#error "build with -DMATRIX4, -DMATRIX8 or -DDIGITS8"
#endif

#ifdef DIGITS8
#define WIDTH 8        /* a column is a digit */
#define CELL 8         /* columns one player gets */
#define GAP 0          /* dark columns between letters, */
#define MARK 0         /* for the mark left of a name, */
#define SPACE 1        /* and between name and score */
#define STEP_MS 350
#else
#define WIDTH (8 * MODULES)
#define CELL 32
#define GAP 1
#define MARK 4
#define SPACE 2
#define STEP_MS 60
#endif

#define SEATS 12
#define LETTERS 12
#define LONGEST 544    /* bytes of a body; a full state has 541 */
#define LOWEST (-9999L)
#define HIGHEST 99999L
#define INTERVAL_MS 40
#define LOST_AFTER_MS 10000UL
#define POINTS_MS 1500UL
#define NOBODY 0xFF

struct seat {
    uint8_t length;
    uint8_t name[LETTERS]; /* Latin-1 */
    int32_t score;
};

struct board {
    struct seat seats[SEATS];
    int32_t points;
    uint16_t winners;      /* bits of seats */
    uint8_t count;         /* seats taken */
    uint8_t turn;          /* or NOBODY */
    uint8_t event;
    uint8_t brightness;    /* 0 to 15 */
    bool has_points;
    bool has_state;
    bool greeted;          /* a host said hello in our version */
    bool other_version;    /* the last hello was in another one */
    uint32_t shown;        /* checksum of the show line that is up */
    uint32_t heard;        /* when something valid came last; milliseconds */
    uint32_t pages_from;
    uint32_t points_until;
};

extern struct board board;

/* After a reset: forget everything and say who we are. */
void board_begin(uint32_t now);

/* A byte from the host. True when there is something new to show. */
bool board_byte(uint8_t byte, uint32_t now);

/* Draw what is to be seen now, from left to right; returns the MAX7219 intensity. A column is eight pixels, bit 0 on
   top, or one digit's segments. */
uint8_t board_picture(uint32_t now, uint8_t columns[WIDTH]);

/* Given by whoever runs the board: a byte for the host. */
void board_send(uint8_t byte);

#endif
