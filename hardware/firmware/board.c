/* Hears and answers the host. The rules are those of hardware/protocol.py; hardware/virtual.py is the same in Python,
   and the tests hold the two together. */
#include "board.h"

#include <string.h>

#include "flash.h"

struct board board;

/* --- the checksum: CRC-32 of IEEE 802.3, four bits at a time */

static const uint32_t crc_of_nibble[16] FLASH = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
};

static uint32_t crc_next(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    crc = flash_dword(&crc_of_nibble[crc & 15]) ^ (crc >> 4);
    return flash_dword(&crc_of_nibble[crc & 15]) ^ (crc >> 4);
}

/* --- what we say */

static uint32_t said_crc;

static void say(char letter)
{
    said_crc = crc_next(said_crc, (uint8_t)letter);
    board_send((uint8_t)letter);
}

static void say_number(uint16_t number)
{
    if (number >= 10)
        say_number(number / 10);
    say((char)('0' + number % 10));
}

static void say_seq(int16_t seq)
{
    say('|');
    if (seq < 0)
        say('-');
    else
        say_number((uint16_t)seq);
    say('|');
}

static char hexadecimal(uint8_t nibble)
{
    return (char)(nibble < 10 ? '0' + nibble : 'A' + nibble - 10);
}

static void say_words(const char *words) /* in flash */
{
    char letter;
    while ((letter = (char)flash_byte(words++)))
        say(letter);
}

static void say_begin(char kind, int16_t seq)
{
    board_send('$');
    said_crc = 0xFFFFFFFF;
    say(kind);
    say_seq(seq);
}

static void say_end(void)
{
    uint32_t crc = ~said_crc;
    board_send('*');
    for (int8_t shift = 28; shift >= 0; shift -= 4)
        board_send((uint8_t)hexadecimal((uint8_t)(crc >> shift) & 15));
    board_send('\n');
}

static void say_identity(int16_t seq)
{
    static const char display[] FLASH = "|" DISPLAY_NAME "|";
    say_begin('I', seq);
    say_number(PROTOCOL_VERSION);
    say_words(display);
    say_number(SEATS);
    say('|');
    say_number(LETTERS);
    say('|');
    say_number(INTERVAL_MS);
    say_end();
}

static void say_shown(int16_t seq)
{
    say_begin('A', seq);
    for (int8_t shift = 28; shift >= 0; shift -= 4)
        say(hexadecimal((uint8_t)(board.shown >> shift) & 15));
    say_end();
}

static const char damaged[] FLASH = "damaged", form[] FLASH = "form", version[] FLASH = "version";

static void refuse(int16_t seq, const char *why)
{
    say_begin('N', seq);
    say_words(why);
    say_end();
}

/* --- what we hear: a line is collected, checked, read through once to see that it is in order, and only then taken */

static char text[LONGEST + 9 + 1];
static uint16_t length;
static bool in_line;
static const char *at; /* the next character to be read; a 0 ends them */

static bool end(void)
{
    return *at == 0;
}

static bool bar(void)
{
    return *at++ == '|';
}

static bool number(int32_t lowest, int32_t highest, int32_t *value)
{
    bool minus = *at == '-';
    int32_t sum = 0;
    uint8_t digits = 0;
    if (minus)
        at++;
    if (*at == '0' && (minus || (at[1] >= '0' && at[1] <= '9')))
        return false;
    for (; *at >= '0' && *at <= '9' && digits < 5; digits++)
        sum = sum * 10 + (*at++ - '0');
    *value = minus ? -sum : sum;
    return digits && *value >= lowest && *value <= highest;
}

static bool count(uint8_t *value)
{
    int32_t read;
    bool fine = number(0, 255, &read);
    *value = (uint8_t)read;
    return fine;
}

static int8_t nibble(char letter)
{
    if (letter >= '0' && letter <= '9')
        return (int8_t)(letter - '0');
    return letter >= 'A' && letter <= 'F' ? (int8_t)(letter - 'A' + 10) : -1;
}

static bool bits(uint16_t *value)
{
    uint8_t digits = 0;
    *value = 0;
    if (*at == '0') {
        at++;
        return true;
    }
    for (; nibble(*at) >= 0 && digits < 4; digits++)
        *value = (uint16_t)(*value << 4) | (uint16_t)nibble(*at++);
    return digits;
}

/* Takes a value in the second reading, and remembers whether it is another one than before. */
static bool taking, pages_changed;

static void take(uint8_t *place, uint8_t value)
{
    if (taking && *place != value) {
        *place = value;
        pages_changed = true;
    }
}

static bool name(struct seat *seat)
{
    uint8_t letters = 0;
    while (*at != '=') {
        uint8_t letter = (uint8_t)*at++;
        if (letter == '%') {
            int8_t high = nibble(*at), low = high < 0 ? -1 : nibble(at[1]);
            if (low < 0)
                return false;
            at += 2;
            letter = (uint8_t)(high << 4 | low);
            if (letter < 0x20 || (letter > 0x7E && letter < 0xC0))
                return false;
        } else if (letter == 0 || letter == '|') {
            return false;
        }
        if (letters == LETTERS)
            return false;
        take(&seat->name[letters++], letter);
    }
    take(&seat->length, letters);
    at++;
    return true;
}

static bool seat(struct seat *seat)
{
    int32_t score;
    if (!name(seat) || !number(LOWEST, HIGHEST, &score))
        return false;
    if (taking && seat->score != score) {
        seat->score = score;
        pages_changed = true;
    }
    return true;
}

/* BRIGHT|TURN|EVENT|POINTS|WON|NAME=SCORE|... */
static bool state(uint32_t now)
{
    uint8_t bright, turn = NOBODY, event, seats = 0;
    int32_t points = 0;
    uint16_t won;
    bool has_points, has_turn;
    if (!count(&bright) || bright > 15 || !bar())
        return false;
    has_turn = *at != '-';
    if (has_turn ? !count(&turn) : !at++)
        return false;
    if (!bar() || !count(&event) || !bar())
        return false;
    has_points = *at != '-' || at[1] != '|';
    if (has_points ? !number(LOWEST, HIGHEST, &points) : !at++)
        return false;
    if (!bar() || !bits(&won))
        return false;
    while (!end()) {
        if (!bar() || seats == SEATS || !seat(&board.seats[seats]))
            return false;
        seats++;
    }
    if ((has_turn && turn >= seats) || won >> seats)
        return false;
    if (!taking)
        return true;

    if (board.has_state && has_points && event != board.event)
        board.points_until = now + POINTS_MS;
    take(&board.count, seats);
    take(&board.turn, has_turn ? turn : NOBODY);
    if (board.winners != won || !board.has_state)
        pages_changed = true;
    board.winners = won;
    board.event = event;
    board.points = points;
    board.has_points = has_points;
    board.brightness = bright;
    board.has_state = true;
    if (pages_changed)
        board.pages_from = now;
    return true;
}

/* The number in the second field, -1 where there is none. */
static int16_t second_field(void)
{
    uint8_t seq;
    at = strchr(text, '|');
    if (!at)
        return -1;
    at++;
    return count(&seq) && (end() || *at == '|') ? seq : -1;
}

/* A body whose checksum was right. True when there is something new to show. */
static bool hear(uint32_t crc, uint32_t now)
{
    char kind = text[0];
    bool ours = text[1] == '|';
    uint8_t other;
    if (ours && (kind == 'I' || kind == 'A' || kind == 'N'))
        return false; /* what boards say: an echo, or two boards on one wire */
    board.heard = now;
    int16_t seq = second_field();
    if (ours && seq >= 0) {
        if (kind == 'H' && bar() && count(&other) && end()) {
            bool differs = other != PROTOCOL_VERSION;
            if (board.other_version != differs)
                board.pages_from = now;
            board.other_version = differs;
            board.greeted = !differs;
            say_identity(seq);
            return true;
        }
        if (kind == 'P' && end()) {
            if (board.greeted)
                say_shown(seq);
            else
                refuse(seq, version);
            return false;
        }
        if (kind == 'S' && bar()) {
            const char *begin = at;
            taking = pages_changed = false;
            if (state(now)) {
                if (!board.greeted) {
                    refuse(seq, version);
                    return false;
                }
                taking = true;
                at = begin;
                state(now);
                board.shown = crc;
                say_shown(seq);
                return true;
            }
        }
    }
    refuse(seq, form);
    return false;
}

/* The line in `text` is complete: is its checksum its own? */
static bool line_ends(uint32_t now)
{
    uint32_t crc = 0xFFFFFFFF;
    uint16_t inside = length - 9;
    if (length < 9 || text[inside] != '*')
        goto broken;
    for (uint16_t i = 0; i < inside; i++) {
        if (text[i] == '*')
            goto broken;
        crc = crc_next(crc, (uint8_t)text[i]);
    }
    crc = ~crc;
    for (uint8_t i = 0; i < 8; i++)
        if (text[inside + 1 + i] != hexadecimal((uint8_t)(crc >> (28 - 4 * i)) & 15))
            goto broken;
    text[inside] = 0;
    return hear(crc, now);
broken:
    refuse(-1, damaged);
    return false;
}

bool board_byte(uint8_t byte, uint32_t now)
{
    if (byte == '$') {
        if (in_line)
            refuse(-1, damaged);
        in_line = true;
        length = 0;
        return false;
    }
    if (!in_line || byte == '\r')
        return false;
    if (byte == '\n') {
        in_line = false;
        return line_ends(now);
    }
    if (byte >= 0x20 && byte <= 0x7E && length < LONGEST + 9) {
        text[length++] = (char)byte;
        return false;
    }
    /* Whatever follows belongs to a line that cannot be right any more. */
    in_line = false;
    refuse(-1, damaged);
    return false;
}

void board_begin(uint32_t now)
{
    memset(&board, 0, sizeof board);
    board.heard = board.pages_from = board.points_until = now;
    in_line = false;
    say_identity(0);
}
