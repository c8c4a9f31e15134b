#include "probe/x86.h"

#include <stdbool.h>

#define VECTORS 16 /* first vector register */

enum opcode_map { MAP_ONE, MAP_0F, MAP_38, MAP_3A, MAP_OTHER };

/* An instruction taken apart. */
struct parts {
    const unsigned char *at, *end;
    enum opcode_map map;
    unsigned opcode;
    bool wide;  /* prefix 66 */
    int repeat; /* F3, F2 or 0 */
    bool lock;
    bool vex;         /* VEX or EVEX */
    unsigned r, x, b; /* bits 3 and 4 of the register numbers */
    unsigned other;   /* vvvv */
    bool has_modrm;
    unsigned mod, reg, rm;
    unsigned base, index; /* of an address; 16: none */
    uint32_t displacement;
};

static unsigned next_byte(struct parts *parts)
{
    return parts->at < parts->end ? *parts->at++ : 0;
}

static enum opcode_map map_of(unsigned number)
{
    return number >= 1 && number <= 3 ? (enum opcode_map)(MAP_0F + number - 1) : MAP_OTHER;
}

static void read_prefixes(struct parts *parts)
{
    static const int repeats[] = {0, 0, 0xF3, 0xF2};
    unsigned byte = next_byte(parts);

    for (; byte == 0x66 || byte == 0x67 || byte == 0xF2 || byte == 0xF3 || byte == 0xF0 ||
           byte == 0x2E || byte == 0x36 || byte == 0x3E || byte == 0x26 || byte == 0x64 ||
           byte == 0x65;
         byte = next_byte(parts)) {
        parts->wide |= byte == 0x66;
        parts->lock |= byte == 0xF0;
        if (byte == 0xF2 || byte == 0xF3)
            parts->repeat = (int)byte;
        if (parts->at == parts->end)
            return;
    }
    if ((byte & 0xF0) == 0x40) {
        parts->r = (byte & 4) << 1;
        parts->x = (byte & 2) << 2;
        parts->b = (byte & 1) << 3;
        byte = next_byte(parts);
    }
    parts->vex = byte == 0xC5 || byte == 0xC4 || byte == 0x62;
    if (parts->vex) {
        unsigned first = next_byte(parts);
        unsigned second = byte == 0xC5 ? first : next_byte(parts);

        parts->map = byte == 0xC5   ? MAP_0F
                     : byte == 0xC4 ? map_of(first & 0x1F)
                                    : map_of(first & 7);
        parts->r = ~first >> 4 & 8;
        if (byte != 0xC5) {
            parts->x = ~first >> 3 & 8;
            parts->b = ~first >> 2 & 8;
        }
        parts->other = ~second >> 3 & 15;
        if (byte == 0x62) {
            parts->r |= ~first & 0x10;
            parts->other |= ~next_byte(parts) << 1 & 0x10;
        }
        parts->wide = (second & 3) == 1;
        parts->repeat = second & 2 ? repeats[second & 3] : 0;
        byte = next_byte(parts);
    } else if (byte == 0x0F) {
        parts->map = MAP_0F;
        byte = next_byte(parts);
        if (byte == 0x38 || byte == 0x3A) {
            parts->map = byte == 0x38 ? MAP_38 : MAP_3A;
            byte = next_byte(parts);
        }
    }
    parts->opcode = byte;
}

static bool is_between(unsigned value, unsigned low, unsigned high)
{
    return value >= low && value <= high;
}

static bool has_modrm(const struct parts *parts)
{
    unsigned o = parts->opcode;

    if (parts->map == MAP_ONE)
        return (o < 0x40 && (o & 7) < 4) || o == 0x63 || o == 0x69 || o == 0x6B ||
               is_between(o, 0x80, 0x8F) || o == 0xC0 || o == 0xC1 || o == 0xC6 || o == 0xC7 ||
               is_between(o, 0xD0, 0xD3) || is_between(o, 0xD8, 0xDF) || o == 0xF6 || o == 0xF7 ||
               o >= 0xFE;
    if (parts->map == MAP_0F)
        return !(is_between(o, 0x05, 0x0B) || is_between(o, 0x30, 0x37) || o == 0x77 ||
                 is_between(o, 0x80, 0x8F) || is_between(o, 0xA0, 0xA2) ||
                 is_between(o, 0xA8, 0xAA) || is_between(o, 0xC8, 0xCF));
    return true;
}

static void read_modrm(struct parts *parts)
{
    unsigned byte;

    parts->base = parts->index = 16;
    parts->has_modrm = has_modrm(parts);
    if (!parts->has_modrm)
        return;
    byte = next_byte(parts);
    parts->mod = byte >> 6;
    parts->reg = (byte >> 3 & 7) | parts->r;
    parts->rm = (byte & 7) | parts->b;
    if (parts->mod == 3)
        return;
    parts->base = parts->mod == 0 && (byte & 7) == 5 ? 16 : parts->rm;
    if ((byte & 7) == 4) {
        unsigned sib = next_byte(parts);

        parts->base = parts->mod == 0 && (sib & 7) == 5 ? 16 : (sib & 7) | parts->b;
        parts->index = (sib >> 3 & 7) | parts->x;
        if (parts->index == 4)
            parts->index = 16;
    }
    if (parts->mod == 2)
        for (int i = 0; i < 4; i++)
            parts->displacement |= (uint32_t)next_byte(parts) << 8 * i;
}

/* String instructions: movs, cmps, stos, lods, scas. */
static bool is_string(const struct parts *parts)
{
    return parts->map == MAP_ONE &&
           (is_between(parts->opcode, 0xA4, 0xA7) || is_between(parts->opcode, 0xAA, 0xAF));
}

static bool is_move_of_string(const struct parts *parts)
{
    return is_string(parts) && is_between(parts->opcode, 0xA4, 0xA5);
}

/* Of data: the hints of code have other numbers. */
static bool is_prefetch(const struct parts *parts)
{
    return parts->map == MAP_0F && parts->has_modrm && parts->mod != 3 &&
           (parts->opcode == 0x0D || (parts->opcode == 0x18 && (parts->reg & 7) < 4));
}

/* A test of a bit of a register whose number is in another. */
static bool is_register_bit_test(const struct parts *parts)
{
    return parts->map == MAP_0F && (parts->opcode & 0xE7) == 0xA3 && parts->mod == 3;
}

/* Classes -------------------------------------------------------------------------------------- */

static enum instruction class_of_one(const struct parts *parts)
{
    unsigned o = parts->opcode;
    bool memory = parts->has_modrm && parts->mod != 3;
    unsigned group = parts->reg & 7;

    if (is_between(o, 0x70, 0x7F) || is_between(o, 0xE0, 0xE3) || is_between(o, 0xE8, 0xEB) ||
        o == 0xC2 || o == 0xC3 || (o == 0xFF && group >= 2 && group <= 5))
        return INSTRUCTION_BRANCH;
    if (parts->lock || ((o == 0x86 || o == 0x87) && memory))
        return INSTRUCTION_SYNC;
    if ((o == 0x8A || o == 0x8B || o == 0x63) && memory)
        return INSTRUCTION_LOAD;
    if (is_between(o, 0x58, 0x5F) || o == 0xAC || o == 0xAD)
        return INSTRUCTION_LOAD;
    if (((o == 0x88 || o == 0x89 || o == 0xC6 || o == 0xC7) && memory) ||
        is_between(o, 0x50, 0x57) || o == 0x68 || o == 0x6A || o == 0xAA || o == 0xAB ||
        is_move_of_string(parts) || (o == 0xFF && group == 6))
        return INSTRUCTION_STORE;
    if ((o == 0xF6 || o == 0xF7) && group >= 6)
        return INSTRUCTION_DIV;
    if (is_between(o, 0xD8, 0xDF))
        return INSTRUCTION_FP;
    return INSTRUCTION_INT;
}

/* Arithmetic on one number is scalar: fp; on several: simd. */
static enum instruction by_width(const struct parts *parts)
{
    return parts->repeat != 0 ? INSTRUCTION_FP : INSTRUCTION_SIMD;
}

static bool loads_vector(const struct parts *parts)
{
    unsigned o = parts->opcode;

    if (parts->map == MAP_0F)
        return o == 0x10 || o == 0x12 || o == 0x16 || o == 0x28 || o == 0x6E || o == 0x6F ||
               (o == 0x7E && parts->repeat == 0xF3) || o == 0xF0;
    return parts->map == MAP_38 && parts->vex &&
           (is_between(o, 0x18, 0x1B) || is_between(o, 0x58, 0x5B) || o == 0x78 || o == 0x79 ||
            o == 0x2C || o == 0x2D || o == 0x8C);
}

static bool stores_vector(const struct parts *parts)
{
    unsigned o = parts->opcode;

    if (parts->map == MAP_0F)
        return o == 0x11 || o == 0x13 || o == 0x17 || o == 0x29 || o == 0x2B || o == 0x7F ||
               (o == 0x7E && parts->repeat != 0xF3) || o == 0xD6 || o == 0xE7;
    return parts->map == MAP_38 && parts->vex && (o == 0x2E || o == 0x2F || o == 0x8E);
}

static bool is_vector(const struct parts *parts)
{
    unsigned o = parts->opcode;

    if (parts->map == MAP_0F)
        return is_between(o, 0x10, 0x17) || is_between(o, 0x28, 0x2F) ||
               is_between(o, 0x50, 0x7F) || o == 0xC2 || is_between(o, 0xC4, 0xC6) || o >= 0xD0;
    return parts->map > MAP_0F && !(is_between(o, 0xF0, 0xF7) && parts->map != MAP_OTHER);
}

static enum instruction class_of_vector(const struct parts *parts)
{
    unsigned o = parts->opcode;
    unsigned low = o & 15;

    if (parts->mod != 3 && loads_vector(parts))
        return INSTRUCTION_LOAD;
    if (parts->mod != 3 && stores_vector(parts))
        return INSTRUCTION_STORE;
    if (parts->map == MAP_0F && (o == 0x51 || o == 0x5E))
        return INSTRUCTION_DIV;
    if (parts->map == MAP_0F && (is_between(o, 0x2A, 0x2F) && o != 0x2B))
        return INSTRUCTION_FP;
    if (parts->map == MAP_0F)
        return is_between(o, 0x10, 0x17) || is_between(o, 0x51, 0x5F) || o == 0xC2
                   ? by_width(parts)
                   : INSTRUCTION_SIMD;
    if (parts->map == MAP_38 && parts->vex && is_between(o, 0x96, 0xBF) && low >= 6)
        return low >= 9 && (low & 1) == 1 ? INSTRUCTION_FMA : INSTRUCTION_SIMD;
    if (parts->map == MAP_3A && (o == 0x0A || o == 0x0B))
        return INSTRUCTION_FP;
    return INSTRUCTION_SIMD;
}

static enum instruction class_of_0f(const struct parts *parts)
{
    unsigned o = parts->opcode;
    bool memory = parts->has_modrm && parts->mod != 3;

    if (is_between(o, 0x80, 0x8F))
        return INSTRUCTION_BRANCH;
    if (parts->lock || (o == 0xAE && !memory && (parts->reg & 7) >= 5))
        return INSTRUCTION_SYNC;
    if (o == 0x05 || o == 0xA2 || o == 0x31 || o == 0x0B || o == 0xAE)
        return INSTRUCTION_OTHER;
    if ((o == 0xB6 || o == 0xB7 || o == 0xBE || o == 0xBF) && memory)
        return INSTRUCTION_LOAD;
    return INSTRUCTION_INT;
}

static enum instruction class_of(const struct parts *parts)
{
    if (parts->map == MAP_ONE)
        return class_of_one(parts);
    if (parts->map == MAP_0F && parts->opcode == 0x2A)
        return INSTRUCTION_FP; /* cvtsi2ss */
    if (is_vector(parts))
        return class_of_vector(parts);
    return parts->map == MAP_0F ? class_of_0f(parts) : INSTRUCTION_INT;
}

/* Registers ------------------------------------------------------------------------------------ */

static uint64_t register_bit(bool vector, unsigned number)
{
    return (uint64_t)1 << (vector ? VECTORS + (number & 31) : number & 15);
}

/* Short forms of arithmetic work on rax. */
static bool accumulates(const struct parts *parts)
{
    unsigned o = parts->opcode;

    return parts->map == MAP_ONE &&
           ((o < 0x40 && (o & 6) == 4) || is_between(o, 0x90, 0x99) || o == 0xA8 || o == 0xA9);
}

static uint64_t string_address(const struct parts *parts)
{
    unsigned o = parts->opcode & 0xFE;
    uint64_t address = 0;

    if (o == 0xA4 || o == 0xA6 || o == 0xAC)
        address |= register_bit(false, 6);
    if (o != 0xAC)
        address |= register_bit(false, 7);
    return parts->repeat != 0 ? address | register_bit(false, 1) : address;
}

/* What stos stores, scas compares and lods loads: rax. */
static uint64_t string_operand(const struct parts *parts)
{
    return parts->opcode < 0xAA ? 0 : register_bit(false, 0);
}

/* Instructions between both kinds of registers count as naming both. */
static uint64_t named_registers(const struct parts *parts, enum instruction class)
{
    bool moves = class == INSTRUCTION_LOAD || class == INSTRUCTION_STORE; /* one register */
    bool vector = parts->map != MAP_ONE && is_vector(parts);
    bool both = (parts->map == MAP_0F &&
                 (is_between(parts->opcode, 0x2A, 0x2D) || parts->opcode == 0x50 ||
                  parts->opcode == 0x6E || parts->opcode == 0x7E || parts->opcode == 0xC4 ||
                  parts->opcode == 0xC5 || parts->opcode == 0xD7)) ||
                (parts->map == MAP_3A && is_between(parts->opcode, 0x14, 0x22)) ||
                (parts->map == MAP_38 && is_between(parts->opcode, 0x7A, 0x7C));
    uint64_t named = 0;

    if (parts->map == MAP_ONE &&
        (is_between(parts->opcode, 0x50, 0x5F) || is_between(parts->opcode, 0xB0, 0xBF)))
        return register_bit(false, (parts->opcode & 7) | parts->b);
    if (is_string(parts))
        return string_address(parts) | string_operand(parts);
    if (!parts->has_modrm)
        return accumulates(parts) ? register_bit(false, 0) : 0;
    if (parts->base < 16)
        named |= register_bit(false, parts->base);
    if (parts->index < 16)
        named |= register_bit(false, parts->index);
    for (int kind = 0; kind < 2; kind++) {
        if (!both && vector != (kind == 1))
            continue;
        named |= register_bit(kind == 1, parts->reg);
        if (parts->mod == 3)
            named |= register_bit(kind == 1, parts->rm | (kind == 1 ? parts->x << 1 : 0));
        if (parts->vex && !moves)
            named |= register_bit(kind == 1, parts->other);
    }
    return named;
}

static int loaded_register(const struct parts *parts, enum instruction class)
{
    if (class != INSTRUCTION_LOAD)
        return -1;
    if (is_string(parts))
        return 0;
    if (!parts->has_modrm)
        return (int)((parts->opcode & 7) | parts->b);
    return parts->map != MAP_ONE && is_vector(parts) ? (int)(VECTORS + (parts->reg & 31))
                                                     : (int)(parts->reg & 15);
}

/* Dependences ---------------------------------------------------------------------------------- */

/* Which operands an instruction writes; of those it reads all, but a destination only if that is
 * said. */
struct effect {
    bool reg, rm, other; /* written, where they are registers */
    bool updates;        /* the destination is an operand, too */
    bool unary;          /* of VEX: without vvvv */
};

static struct effect effect_of_one(const struct parts *parts)
{
    unsigned o = parts->opcode;
    unsigned group = parts->reg & 7;

    if (o < 0x40) /* arithmetic; 38 to 3B compare */
        return (struct effect){
            .reg = o < 0x38 && (o & 2) != 0, .rm = o < 0x38 && (o & 2) == 0, .updates = true};
    switch (o) {
    case 0x63:
    case 0x69:
    case 0x6B:
    case 0x8A:
    case 0x8B:
    case 0x8D:
        return (struct effect){.reg = true};
    case 0x84:
    case 0x85:
        return (struct effect){.updates = true};
    case 0x88:
    case 0x89:
    case 0xC6:
    case 0xC7:
        return (struct effect){.rm = true};
    case 0x80:
    case 0x81:
    case 0x83:
        return (struct effect){.rm = group != 7, .updates = true};
    case 0xF6:
    case 0xF7:
        return (struct effect){.rm = group >= 2, .updates = true};
    case 0xFF:
        return (struct effect){.rm = group < 2, .updates = true};
    default:
        return (struct effect){.reg = o == 0x86 || o == 0x87, .rm = true, .updates = true};
    }
}

static struct effect effect_of_0f(const struct parts *parts)
{
    unsigned o = parts->opcode;

    if (o == 0x1F || o == 0x0D || o == 0x18 || o == 0xA3)
        return (struct effect){.updates = true}; /* no-operation, prefetch, test */
    if (o == 0xB6 || o == 0xB7 || o == 0xBE || o == 0xBF || o == 0xB8 || o == 0xBC || o == 0xBD)
        return (struct effect){.reg = true};
    if (is_between(o, 0x40, 0x4F) || o == 0xAF)
        return (struct effect){.reg = true, .updates = true};
    return (struct effect){.rm = true, .updates = true};
}

/* Vector instructions of one operand: moves, conversions, square roots, broadcasts. */
static bool is_unary(const struct parts *parts)
{
    unsigned o = parts->opcode;
    bool packed = parts->repeat == 0;

    switch (parts->map) {
    case MAP_0F:
        return (is_between(o, 0x28, 0x2F) && o != 0x2A) || o == 0x50 || o == 0x6E || o == 0x6F ||
               o == 0x70 || o == 0x7E || o == 0x7F || o == 0x5B || o == 0xD6 || o == 0xD7 ||
               o == 0xE6 || o == 0xE7 || o == 0xF0 ||
               ((o == 0x10 || o == 0x11) && (packed || parts->mod != 3)) ||
               (is_between(o, 0x51, 0x53) && packed) || (o == 0x5A && packed);
    case MAP_38:
        return is_between(o, 0x17, 0x1F) || is_between(o, 0x20, 0x25) ||
               is_between(o, 0x30, 0x35) || is_between(o, 0x58, 0x5B) || o == 0x78 || o == 0x79 ||
               o == 0x13;
    case MAP_3A:
        return o <= 1 || o == 4 || o == 5 || o == 8 || o == 9 || is_between(o, 0x14, 0x17) ||
               o == 0x19 || o == 0x1D || o == 0x39 || o == 0x3B || is_between(o, 0x60, 0x63);
    default:
        return false;
    }
}

static struct effect effect_of_vector(const struct parts *parts)
{
    unsigned o = parts->opcode;
    struct effect effect = {.unary = is_unary(parts)};

    effect.updates =
        !effect.unary && (!parts->vex || (parts->map == MAP_38 && is_between(o, 0x96, 0xBF)));
    if (stores_vector(parts) || (parts->map == MAP_3A && (is_between(o, 0x14, 0x17) || o == 0x19 ||
                                                          o == 0x1D || o == 0x39 || o == 0x3B)))
        effect.rm = true;
    else if (parts->map == MAP_0F && is_between(o, 0x71, 0x73)) /* shifts by a constant */
        effect = (struct effect){.rm = !parts->vex, .other = parts->vex, .updates = !parts->vex};
    else
        effect.reg = !(parts->map == MAP_0F && (o == 0x2E || o == 0x2F)) &&
                     !(parts->map == MAP_38 && o == 0x17);
    return effect;
}

static enum chain_step step_of(const struct parts *parts, enum instruction class, bool vector)
{
    unsigned o = parts->opcode;

    if (class == INSTRUCTION_DIV || (vector && parts->map == MAP_0F && is_between(o, 0x51, 0x53)))
        return STEP_DIVIDE;
    if (class == INSTRUCTION_FMA)
        return STEP_MULTIPLY;
    if (class == INSTRUCTION_LOAD || class == INSTRUCTION_STORE)
        return STEP_NONE;
    if (!vector) {
        if ((parts->map == MAP_ONE &&
             (o == 0x69 || o == 0x6B || (is_between(o, 0xF6, 0xF7) && (parts->reg & 7) >= 4))) ||
            (parts->map == MAP_0F && o == 0xAF))
            return STEP_MULTIPLY;
        return parts->mod == 3 && parts->map == MAP_ONE && is_between(o, 0x88, 0x8B) ? STEP_NONE
                                                                                     : STEP_SIMPLE;
    }
    switch (parts->map) {
    case MAP_0F:
        if (o == 0x58 || is_between(o, 0x5C, 0x5D) || o == 0x5F || o == 0xC2 || o == 0x2E ||
            o == 0x2F || o == 0x7C || o == 0x7D || o == 0xD0)
            return STEP_ADD;
        if (o == 0x59 || o == 0x5A || o == 0x5B || o == 0xE6 || o == 0x2A || o == 0x2C ||
            o == 0x2D || o == 0xF4 || o == 0xF5 || o == 0xD5 || o == 0xE4 || o == 0xE5)
            return STEP_MULTIPLY;
        return o == 0x28 || o == 0x29 || o == 0x6F || o == 0x7F ||
                       ((o == 0x10 || o == 0x11) && parts->repeat == 0)
                   ? STEP_NONE
                   : STEP_SIMPLE;
    case MAP_38:
        return (parts->vex && is_between(o, 0x96, 0xBF)) || o == 0x28 || o == 0x40 || o == 4 ||
                       o == 0x0B
                   ? STEP_MULTIPLY
                   : STEP_SIMPLE;
    case MAP_3A:
        return is_between(o, 8, 0x0B) || o == 0x40 || o == 0x41 ? STEP_MULTIPLY : STEP_SIMPLE;
    default:
        return STEP_MULTIPLY; /* of half precision */
    }
}

/* A register that is combined with itself to zero needs no value of it. */
static bool clears(const struct parts *parts, bool vector)
{
    unsigned o = parts->opcode;
    unsigned rm = parts->rm | (vector ? parts->x << 1 : 0);

    if (parts->mod != 3)
        return false;
    if (!vector)
        return parts->map == MAP_ONE && (o == 0x29 || o == 0x2B || o == 0x31 || o == 0x33) &&
               parts->reg == rm;
    return parts->map == MAP_0F && (o == 0x57 || o == 0xEF || is_between(o, 0xF8, 0xFB)) &&
           rm == (parts->vex ? parts->other : parts->reg);
}

static void find_dependences(const struct parts *parts, struct x86_instruction *decoded)
{
    bool vector = parts->map != MAP_ONE && is_vector(parts);
    struct effect effect = vector                  ? effect_of_vector(parts)
                           : parts->map == MAP_ONE ? effect_of_one(parts)
                           : parts->map == MAP_0F  ? effect_of_0f(parts)
                                                   : (struct effect){.reg = true};
    unsigned o = parts->opcode;
    uint64_t reg, rm, other;
    bool converts = vector && parts->map == MAP_0F;

    decoded->step = step_of(parts, decoded->class, vector);
    if (is_string(parts)) {
        bool loads = decoded->class == INSTRUCTION_LOAD;

        decoded->address = string_address(parts);
        decoded->reads = loads ? 0 : string_operand(parts);
        decoded->writes = loads ? string_operand(parts) : 0;
        return;
    }
    if (!parts->has_modrm) {
        decoded->reads = decoded->writes = decoded->named;
        if (parts->map == MAP_ONE &&
            (is_between(o, 0xB0, 0xBF) || decoded->class == INSTRUCTION_LOAD))
            decoded->reads = 0;
        if (decoded->class == INSTRUCTION_STORE)
            decoded->writes = 0;
        return;
    }
    if (parts->base < 16)
        decoded->address |= register_bit(false, parts->base);
    if (parts->index < 16)
        decoded->address |= register_bit(false, parts->index);
    reg = register_bit(vector && !(converts && (o == 0x2C || o == 0x2D || o == 0x50 || o == 0xD7)),
                       parts->reg);
    rm = register_bit(vector &&
                          !((converts && (o == 0x2A || o == 0x6E ||
                                          (o == 0x7E && parts->repeat != 0xF3) || o == 0xC4)) ||
                            (parts->map == MAP_3A && is_between(o, 0x14, 0x17)) ||
                            (parts->map == MAP_3A && (o == 0x20 || o == 0x22))),
                      parts->rm | (vector ? parts->x << 1 : 0));
    rm = parts->mod == 3 ? rm : 0;
    other = register_bit(vector, parts->other);
    if (parts->map == MAP_ONE &&
        (o >= 0x80 && (o < 0x84 || is_between(o, 0xC0, 0xC1) || o >= 0xC6)))
        reg = 0; /* an extension of the opcode */
    if (parts->map == MAP_0F &&
        ((vector && is_between(o, 0x71, 0x73)) || o == 0x0D || o == 0x18 || o == 0x1F))
        reg = 0;
    decoded->writes = (effect.reg ? reg : 0) | (effect.rm ? rm : 0) | (effect.other ? other : 0);
    decoded->reads = reg | rm | (parts->vex && !effect.unary && !effect.other ? other : 0);
    if (!effect.updates)
        decoded->reads = ((effect.reg ? 0 : reg) | (effect.rm ? 0 : rm)) |
                         (parts->vex && !effect.unary && !effect.other ? other : 0);
    if (parts->map == MAP_ONE && is_between(o, 0xF6, 0xF7) && (parts->reg & 7) >= 4)
        decoded->writes |= 5, decoded->reads |= (parts->reg & 7) >= 6 ? 5 : 1; /* rax, rdx */
    if (parts->map == MAP_ONE && is_between(o, 0xD2, 0xD3))
        decoded->reads |= 2; /* rcx */
    if (decoded->class == INSTRUCTION_BRANCH)
        decoded->writes = 0;
    if (clears(parts, vector)) {
        decoded->reads = 0;
        decoded->step = STEP_NONE;
    }
    decoded->vector = vector && decoded->step != STEP_NONE;
}

struct x86_instruction x86_decode(const unsigned char *bytes, size_t length)
{
    struct parts parts = {.at = bytes, .end = bytes + length};
    struct x86_instruction decoded = {
        .class = INSTRUCTION_OTHER, .loaded = -1, .marker = -1, .step = STEP_NONE};

    if (length == 0)
        return decoded;
    read_prefixes(&parts);
    read_modrm(&parts);
    decoded.class = class_of(&parts);
    decoded.named = named_registers(&parts, decoded.class);
    decoded.loaded = loaded_register(&parts, decoded.class);
    find_dependences(&parts, &decoded);
    decoded.copies = is_move_of_string(&parts);
    decoded.prefetches = is_prefetch(&parts);
    decoded.without_memory = is_register_bit_test(&parts);
    if (parts.map == MAP_0F && parts.opcode == 0x1F && parts.mod == 2 &&
        parts.displacement - X86_MARKER < X86_MARKERS)
        decoded.marker = (int)(parts.displacement - X86_MARKER);
    return decoded;
}
