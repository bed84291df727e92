/* Tables that stay in flash on the board, and are ordinary memory where the tests compile this code for their own
   machine. */
#ifndef FLASH_H
#define FLASH_H

#include <stdint.h>

#ifdef __AVR__
#include <avr/pgmspace.h>
#define FLASH PROGMEM
#define flash_byte(address) pgm_read_byte(address)
#define flash_word(address) pgm_read_word(address)
#define flash_dword(address) pgm_read_dword(address)
#else
#define FLASH
#define flash_byte(address) (*(const uint8_t *)(address))
#define flash_word(address) (*(const uint16_t *)(address))
#define flash_dword(address) (*(const uint32_t *)(address))
#endif

#endif
