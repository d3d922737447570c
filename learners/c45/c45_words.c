/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_words.h"
#include "base/hash.h"
#include "base/memory.h"
#include "learners/c45/c45_data.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names in a text --- */

void ct_c45_reader_begin(struct ct_c45_reader *reader, const char *text, size_t length)
{
    *reader = (struct ct_c45_reader){.text = text, .length = length, .line = 1, .name_line = 1};
}

static int peek(const struct ct_c45_reader *reader)
{
    return reader->place < reader->length ? (unsigned char)reader->text[reader->place] : EOF;
}

static int take(struct ct_c45_reader *reader)
{
    int character = peek(reader);
    if (character != EOF)
        reader->place++;
    if (character == '\n')
        reader->line++;
    return character;
}

static bool is_blank(int character)
{
    return character == ' ' || character == '\t' || character == '\n';
}

static void skip_line(struct ct_c45_reader *reader)
{
    while (peek(reader) != EOF && take(reader) != '\n')
        ;
}

/* Blanks and comments before a name. */
static void skip_blanks(struct ct_c45_reader *reader)
{
    for (;;) {
        int character = peek(reader);
        if (character == '|')
            skip_line(reader);
        else if (is_blank(character))
            take(reader);
        else
            return;
    }
}

/* A character of the name; of a run of spaces the first. */
static void keep(struct ct_c45_reader *reader, int character)
{
    char byte = (char)character;
    ct_text_append_bytes(&reader->name, &byte, 1);
    while (character == ' ' && peek(reader) == ' ')
        take(reader);
}

/* One step of a name, begun by `character`; true where that ends the name. */
static bool step(struct ct_c45_reader *reader, int character)
{
    if (character == '.') {
        int next = peek(reader);
        if (next == EOF || next == '|' || is_blank(next)) {
            reader->delimiter = take(reader);
            return true;
        }
        keep(reader, '.');
        /* whatever stands behind a kept period is part of the name */
        character = take(reader);
    } else if (character == ':' || character == ',' || character == '\n' || character == '|' ||
               character == EOF) {
        reader->delimiter = character;
        return true;
    }
    if (character == '\\')
        character = take(reader);
    if (character == EOF) {
        reader->delimiter = EOF;
        return true;
    }
    keep(reader, character);
    return false;
}

/* Characters that may end a name or are not kept as they are. */
static const bool second_look[UCHAR_MAX + 1] = {[':'] = true, [','] = true,  ['\n'] = true, ['|'] = true,
                                                ['.'] = true, ['\\'] = true, [' '] = true,  ['\0'] = true};

/* Most names are plain: taken in one piece up to what needs a second look. */
static void take_plain(struct ct_c45_reader *reader)
{
    const char *from = reader->text + reader->place;
    size_t most = reader->length - reader->place, length = 0;
    while (length < most && !second_look[(unsigned char)from[length]])
        length++;
    ct_text_append_bytes(&reader->name, from, length);
    reader->place += length;
}

int ct_c45_reader_next(struct ct_c45_reader *reader, bool *ret_found)
{
    struct ct_text *name = &reader->name;
    name->length = 0;
    skip_blanks(reader);
    reader->name_line = reader->line;
    *ret_found = peek(reader) != EOF;
    if (!*ret_found)
        return CT_OK;
    do
        take_plain(reader);
    while (!step(reader, take(reader)));
    if (reader->delimiter == '|') {
        skip_line(reader);
        reader->delimiter = '\n';
    }
    while (name->length > 0 && is_blank((unsigned char)name->data[name->length - 1]))
        name->length--;
    ct_text_append_bytes(name, "", 0);
    if (name->failed)
        return CT_E_MEMORY;
    name->data[name->length] = '\0';
    return memchr(name->data, '\0', name->length) || strchr(name->data, '\n') ? CT_E_INPUT : CT_OK;
}

/* --- words by number --- */

static size_t slot_of(const struct ct_c45_words *words, const char *word, size_t length)
{
    size_t slot = (size_t)ct_hash(0, word, length) & (words->slot_count - 1);
    while (words->slots[slot]) {
        const char *there = words->words[words->slots[slot] - 1];
        if (strncmp(there, word, length) == 0 && there[length] == '\0')
            break;
        slot = (slot + 1) & (words->slot_count - 1);
    }
    return slot;
}

size_t ct_c45_words_find(const struct ct_c45_words *words, const char *word, size_t length)
{
    if (words->slot_count == 0)
        return SIZE_MAX;
    size_t slot = slot_of(words, word, length);
    return words->slots[slot] ? words->slots[slot] - 1u : SIZE_MAX;
}

/* Twice as many slots as words, at least. */
static int widen(struct ct_c45_words *words)
{
    size_t slot_count = words->slot_count ? 2 * words->slot_count : 16;
    uint16_t *slots = ct_allocate(slot_count, sizeof *slots);
    if (!slots)
        return CT_E_MEMORY;
    free(words->slots);
    words->slots = slots;
    words->slot_count = slot_count;
    for (size_t i = 0; i < words->count; i++)
        slots[slot_of(words, words->words[i], strlen(words->words[i]))] = (uint16_t)(i + 1);
    return CT_OK;
}

int ct_c45_words_add(struct ct_c45_words *words, const char *word, size_t length)
{
    if (words->count == CT_C45_WORDS_MAX)
        return CT_E_LIMIT;
    int status = ct_grow(&words->words, &words->capacity, words->count + 1, sizeof *words->words);
    if (status == CT_OK && 2 * (words->count + 1) > words->slot_count)
        status = widen(words);
    char *copy = status == CT_OK ? strndup(word, length) : NULL;
    if (!copy)
        return status == CT_OK ? CT_E_MEMORY : status;
    words->slots[slot_of(words, word, length)] = (uint16_t)(words->count + 1);
    words->words[words->count++] = copy;
    return CT_OK;
}
