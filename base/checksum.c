/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checksum.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SHA-256 of the rest of `file`; false if libcrypto fails. */
static bool digest_of(FILE *file, unsigned char *buffer, size_t room, unsigned char digest[EVP_MAX_MD_SIZE],
                      unsigned *length)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    size_t got;
    while (good && (got = fread(buffer, 1, room, file)) > 0)
        good = EVP_DigestUpdate(context, buffer, got) == 1;
    good = good && EVP_DigestFinal_ex(context, digest, length) == 1;
    EVP_MD_CTX_free(context);
    return good;
}

int ct_file_checksum(const char *path, struct ct_error *error, char ret_checksum[CT_CHECKSUM_TEXT])
{
    enum { BLOCK = 1 << 16 };
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    unsigned char *buffer = malloc(BLOCK);
    bool good = buffer && digest_of(file, buffer, BLOCK, digest, &length);
    int status = CT_OK;
    if (ferror(file))
        status = ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    else if (!good)
        status = ct_fail(error, CT_E_MEMORY, "%s: no memory for its checksum", path);
    free(buffer);
    fclose(file);
    if (status != CT_OK)
        return status;
    for (unsigned i = 0; i < length && 2 * i + 2 < CT_CHECKSUM_TEXT; i++)
        snprintf(ret_checksum + 2 * (size_t)i, 3, "%02x", digest[i]);
    return CT_OK;
}
