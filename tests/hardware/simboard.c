/* The firmware in simavr, for the tests: an ATmega328P whose serial line is fed byte by byte at its baud rate, and whose
   three LED pins are watched edge by edge. Times are cycles of 16 MHz. Built into a library for ctypes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_hex.h>

#define CYCLES_PER_BYTE 1389 /* ten bits at 115,200 baud: what the host's end of the cable does */
#define CYCLES_PER_BYTE_THERE 1360 /* the same at the board's 117,647 baud */
#define WAITING 4096
#define LATCHES 8192
#define MOST_SHIFTED 16
#define PAINT 0xC5

struct latch {
    uint64_t cycle;
    uint32_t shifted; /* bits since LOAD fell */
    uint8_t bytes[MOST_SHIFTED];
};

struct said {
    uint64_t cycle;
    uint8_t byte;
};

struct sim {
    avr_t *avr;
    avr_irq_t *input;
    uint8_t heard[WAITING];
    uint32_t heard_in, heard_out;
    int feeding;
    struct said said[WAITING];
    uint32_t said_count;
    struct latch latches[LATCHES];
    uint32_t latch_count;
    uint8_t shift[MOST_SHIFTED];
    uint32_t shifted;
    int din, clk, load;
    uint8_t *program;
    uint32_t size, start;
};

/* simavr counts a parity bit into every byte, though 8N1 has none: a line at full speed would overrun it. */
static void correct_byte_time(struct sim *sim)
{
    for (avr_io_t *io = sim->avr->io_port; io; io = io->next)
        if (io->kind && !strcmp(io->kind, "uart"))
            ((avr_uart_t *)io)->cycles_per_byte = CYCLES_PER_BYTE_THERE;
}

/* A sleeping processor costs no time here: the next event comes at once. */
static void no_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

static void on_said(avr_irq_t *irq, uint32_t value, void *param)
{
    struct sim *sim = param;
    (void)irq;
    if (sim->said_count < WAITING)
        sim->said[sim->said_count++] = (struct said){sim->avr->cycle, (uint8_t)value};
}

static void on_din(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    ((struct sim *)param)->din = value != 0;
}

static void on_clk(avr_irq_t *irq, uint32_t value, void *param)
{
    struct sim *sim = param;
    (void)irq;
    if (value && !sim->clk) {
        uint32_t place = sim->shifted / 8;
        if (place < MOST_SHIFTED)
            sim->shift[place] = (uint8_t)(sim->shift[place] << 1 | sim->din);
        sim->shifted++;
    }
    sim->clk = value != 0;
}

static void on_load(avr_irq_t *irq, uint32_t value, void *param)
{
    struct sim *sim = param;
    (void)irq;
    if (value && !sim->load && sim->latch_count < LATCHES) {
        struct latch *latch = &sim->latches[sim->latch_count++];
        latch->cycle = sim->avr->cycle;
        latch->shifted = sim->shifted;
        memcpy(latch->bytes, sim->shift, MOST_SHIFTED);
    }
    if (!value && sim->load) {
        sim->shifted = 0;
        memset(sim->shift, 0, MOST_SHIFTED);
    }
    sim->load = value != 0;
}

static avr_cycle_count_t feed(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct sim *sim = param;
    (void)avr;
    correct_byte_time(sim);
    if (sim->heard_in == sim->heard_out) {
        sim->feeding = 0;
        return 0;
    }
    avr_raise_irq(sim->input, sim->heard[sim->heard_out++ % WAITING]);
    return when + CYCLES_PER_BYTE;
}

void sim_reset(struct sim *sim)
{
    avr_reset(sim->avr);
    avr_cycle_timer_cancel(sim->avr, feed, sim);
    sim->heard_in = sim->heard_out = 0;
    sim->feeding = 0;
    sim->said_count = 0;
    /* RAM keeps what it held, as after the reset button. */
}

struct sim *sim_new(const char *hex)
{
    struct sim *sim = calloc(1, sizeof *sim);
    sim->program = read_ihex_file(hex, &sim->size, &sim->start);
    sim->avr = sim->program ? avr_make_mcu_by_name("atmega328p") : NULL;
    if (!sim->avr)
        return NULL;
    avr_init(sim->avr);
    sim->avr->frequency = 16000000;
    sim->avr->sleep = no_sleep;
    sim->avr->log = LOG_ERROR;
    memcpy(sim->avr->flash + sim->start, sim->program, sim->size);
    sim->avr->codeend = sim->start + sim->size;
    memset(sim->avr->data + 0x100, PAINT, sim->avr->ramend - 0xFF);
    uint32_t flags = 0;
    avr_ioctl(sim->avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    sim->input = avr_io_getirq(sim->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(sim->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_said, sim);
    avr_irq_register_notify(avr_io_getirq(sim->avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 3), on_din, sim);
    avr_irq_register_notify(avr_io_getirq(sim->avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 5), on_clk, sim);
    avr_irq_register_notify(avr_io_getirq(sim->avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 2), on_load, sim);
    return sim;
}

void sim_free(struct sim *sim)
{
    avr_terminate(sim->avr);
    free(sim->program);
    free(sim);
}

/* Runs until that cycle; returns simavr's state of the processor, 0 when it could not go on. */
int sim_run(struct sim *sim, uint64_t until)
{
    while (sim->avr->cycle < until) {
        int state = avr_run(sim->avr);
        if (state == cpu_Done || state == cpu_Crashed)
            return 0;
    }
    return 1;
}

void sim_hear(struct sim *sim, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sim->heard[sim->heard_in++ % WAITING] = bytes[i];
    if (count && !sim->feeding) {
        sim->feeding = 1;
        avr_cycle_timer_register(sim->avr, 1, feed, sim);
    }
}

uint64_t sim_cycle(const struct sim *sim)
{
    return sim->avr->cycle;
}

/* What was said, and what was latched, since the last question. */
uint32_t sim_said(struct sim *sim, struct said *said)
{
    uint32_t count = sim->said_count;
    memcpy(said, sim->said, count * sizeof *said);
    sim->said_count = 0;
    return count;
}

uint32_t sim_latches(struct sim *sim, struct latch *latches)
{
    uint32_t count = sim->latch_count;
    memcpy(latches, sim->latches, count * sizeof *latches);
    sim->latch_count = 0;
    return count;
}

/* Bytes of RAM below the stack's deepest point that nobody ever wrote. */
uint32_t sim_untouched(const struct sim *sim)
{
    uint32_t longest = 0, run = 0;
    for (uint32_t i = 0x100; i <= sim->avr->ramend; i++) {
        run = sim->avr->data[i] == PAINT ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}
