/* Draws what the board shows at a moment. hardware/picture.py is the same in Python, and says more about each number;
   the tests hold the two together, column for column. */
#include <string.h>

#include "board.h"
#include "flash.h"
#include "font.h"

#define HOLD_MS 800UL
#define PAGE_MS 3000UL
#define WIN_MS 6000UL
#define WIN_BEAT_MS 500
#define WIN_LIT_MS 300
#define LOST_BEAT_MS 6000
#define LOST_TEXT_MS 2000
#define DEFAULT_BRIGHTNESS 6
#define LONGEST_TEXT LETTERS
#define POINT 0x80

/* --- text */

static uint8_t glyph_index(uint8_t letter)
{
    return letter < 0x7F ? letter - 0x20 : letter - 0xC0 + 95;
}

#ifdef DIGITS8

static uint8_t letter_width(uint8_t letter)
{
    (void)letter;
    return 1;
}

static uint8_t letter_column(uint8_t letter, uint8_t column)
{
    (void)column;
    return flash_byte(&font_segments[glyph_index(letter)]);
}

#else

static uint8_t letter_width(uint8_t letter)
{
    const uint16_t *start = &font_starts[glyph_index(letter)];
    return (uint8_t)(flash_word(start + 1) - flash_word(start));
}

static uint8_t letter_column(uint8_t letter, uint8_t column)
{
    return flash_byte(&font_columns[flash_word(&font_starts[glyph_index(letter)]) + column]);
}

#endif

static uint8_t text_width(const uint8_t *words, uint8_t letters)
{
    uint8_t width = 0;
    for (uint8_t i = 0; i < letters; i++)
        width += letter_width(words[i]) + (i ? GAP : 0);
    return width;
}

static uint8_t overflow(uint8_t wide, uint8_t width)
{
    return wide > width ? wide - width : 0;
}

/* Draws a text into `width` dark columns: from its left, and scrolled to its end when it is longer. */
static void window(const uint8_t *words, uint8_t letters, uint8_t *columns, uint8_t width, uint32_t time)
{
    uint8_t most = overflow(text_width(words, letters), width);
    uint32_t steps = time > HOLD_MS ? (time - HOLD_MS) / STEP_MS : 0;
    int16_t place = -(int16_t)(steps < most ? steps : most);
    for (uint8_t i = 0; i < letters; i++) {
        uint8_t wide = letter_width(words[i]);
        if (i)
            place += GAP;
        for (uint8_t column = 0; column < wide; column++, place++)
            if (place >= 0 && place < width)
                columns[place] = letter_column(words[i], column);
    }
}

/* Writes a number; returns how many characters it takes. */
static uint8_t digits(int32_t number, bool plus, uint8_t *words)
{
    uint8_t letters = 0, backwards[5], count = 0;
    if (number < 0)
        words[letters++] = '-';
    else if (plus)
        words[letters++] = '+';
    uint32_t rest = (uint32_t)(number < 0 ? -number : number);
    do {
        backwards[count++] = (uint8_t)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    while (count)
        words[letters++] = backwards[--count];
    return letters;
}

/* Words in the middle, or scrolling through over and over. */
static void message(const uint8_t *words, uint8_t letters, uint8_t *columns, uint32_t age)
{
    uint8_t wide = text_width(words, letters);
    uint8_t left = wide < WIDTH ? (WIDTH - wide) / 2 : 0;
    uint16_t period = (uint16_t)(2 * HOLD_MS) + overflow(wide, WIDTH) * STEP_MS;
    window(words, letters, columns + left, WIDTH - left, age % period);
}

static void fixed_message(const char *words, uint8_t *columns, uint32_t age) /* words in flash */
{
    uint8_t copy[LONGEST_TEXT], letters = 0, letter;
    while ((letter = flash_byte(words++)))
        copy[letters++] = letter;
    message(copy, letters, columns, age);
}

/* --- players */

static uint8_t name_width(const struct seat *seat)
{
    uint8_t words[6], letters = digits(seat->score, false, words);
    return CELL - MARK - SPACE - text_width(words, letters);
}

static uint16_t lasts(uint8_t first)
{
    uint16_t longest = PAGE_MS;
    for (uint8_t i = first; i < first + WIDTH / CELL && i < board.count; i++) {
        const struct seat *seat = &board.seats[i];
        uint8_t scroll = overflow(text_width(seat->name, seat->length), name_width(seat));
        uint16_t time = (uint16_t)(2 * HOLD_MS) + scroll * STEP_MS;
        if (time > longest)
            longest = time;
    }
    return longest;
}

static void cell(uint8_t number, uint8_t *columns, uint32_t time)
{
    const struct seat *seat = &board.seats[number];
    uint8_t words[6], letters = digits(seat->score, false, words), wide = name_width(seat);
    bool won = board.winners >> number & 1, turn = number == board.turn && !won;
    won = won && time % 1000 < 500;
    window(seat->name, seat->length, columns + MARK, wide, time);
    window(words, letters, columns + MARK + wide + SPACE, CELL - MARK - wide - SPACE, 0);
#ifdef DIGITS8
    if (turn)
        columns[0] |= POINT;
    if (won)
        for (uint8_t i = 0; i < CELL; i++)
            columns[i] |= POINT;
#else
    if (turn) {
        columns[1] = 0x1C;
        columns[2] = 0x08;
    }
    if (won)
        columns[1] = columns[2] = 0x7F;
#endif
}

static void pages(uint8_t *columns, uint32_t age)
{
    uint8_t cells = WIDTH / CELL, first = board.turn == NOBODY ? 0 : board.turn;
    bool flash = false;
    if (board.winners)
        for (first = 0; !(board.winners >> first & 1);)
            first++;
    first -= first % cells;
    if (board.winners && age < WIN_MS) {
        flash = age % WIN_BEAT_MS >= WIN_LIT_MS;
    } else {
        uint32_t all = 0;
        uint16_t page;
        if (board.winners)
            age -= WIN_MS;
        for (uint8_t i = 0; i < board.count; i += cells)
            all += lasts(i);
        age %= all;
        while (age >= (page = lasts(first))) {
            age -= page;
            first += cells;
            if (first >= board.count)
                first = 0;
        }
    }
    for (uint8_t i = 0; i < cells && first + i < board.count; i++)
        if (!flash || !(board.winners >> (first + i) & 1))
            cell(first + i, columns + i * CELL, age);
}

uint8_t board_picture(uint32_t now, uint8_t columns[WIDTH])
{
    static const char ready[] FLASH = "Ready", update[] FLASH = "Update", no_host[] FLASH = "No host",
                      empty[] FLASH = "Tableside";
    uint32_t silent = now - board.heard, from = board.pages_from, age;
    uint8_t brightness = board.has_state ? board.brightness : DEFAULT_BRIGHTNESS;
    uint8_t intensity = (uint8_t)(brightness * (FULL + 1) >> 4);
    bool points = board.has_state && board.has_points;
    if (points && (int32_t)(board.points_until - from) > 0)
        from = board.points_until;
    age = (int32_t)(now - from) > 0 ? now - from : 0;
    points = points && (int32_t)(board.points_until - now) > 0;

    memset(columns, 0, WIDTH);
    if (silent >= LOST_AFTER_MS) {
        uint32_t lost = silent - LOST_AFTER_MS;
        intensity = 0;
        if (!board.has_state || lost % LOST_BEAT_MS < LOST_TEXT_MS) {
            fixed_message(no_host, columns, board.has_state ? lost % LOST_BEAT_MS : lost);
            return intensity;
        }
    }
    if (board.other_version)
        fixed_message(update, columns, age);
    else if (!board.has_state)
        fixed_message(ready, columns, age);
    else if (!board.count)
        fixed_message(empty, columns, age);
    else if (points) {
        uint8_t words[6], letters = digits(board.points, true, words);
        message(words, letters, columns, 0);
    } else
        pages(columns, age);
    return intensity;
}
