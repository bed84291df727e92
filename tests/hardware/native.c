/* board.c and picture.c on this machine: requests on standard input, answers on standard output (boards.py asks). */
#include <stdio.h>
#include <stdlib.h>

#include "board.h"

static uint8_t said[1 << 20];
static uint32_t said_count;

void board_send(uint8_t byte)
{
    if (said_count < sizeof said)
        said[said_count++] = byte;
}

int main(void)
{
    struct __attribute__((packed)) {
        uint8_t reset;
        uint32_t now, length;
    } request;
    board_begin(0);
    while (fread(&request, sizeof request, 1, stdin) == 1) {
        uint8_t columns[WIDTH];
        said_count = 0;
        if (request.reset)
            board_begin(request.now);
        for (uint32_t i = 0; i < request.length; i++) {
            int byte = getchar();
            if (byte == EOF)
                return 2;
            board_byte((uint8_t)byte, request.now);
        }
        uint8_t intensity = board_picture(request.now, columns);
        fwrite(&said_count, sizeof said_count, 1, stdout);
        fwrite(said, 1, said_count, stdout);
        fwrite(columns, 1, sizeof columns, stdout);
        fwrite(&intensity, 1, 1, stdout);
    }
    return 0;
}
