// SPDX-License-Identifier: Apache-2.0
#include "proof/json_in.h"

#include "base/text/excerpt.h"

#include <string.h>

json_t *json_in_open(struct json_in *in, const char *text, size_t n, const char *file,
                     struct err *err)
{
    json_error_t je;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &je);
    *in = (struct json_in){.err = err, .file = file};
    if (root == NULL)
        err_at(err, ERR_INPUT, file, (uint32_t)(je.line > 0 ? je.line : 1),
               (uint32_t)(je.column > 0 ? je.column : 1), "%s", je.text);
    excerpt_attach(err, text, n);
    if (root == NULL || json_is_object(root))
        return root;
    json_decref(root);
    err_at(err, ERR_INPUT, file, 1, 1, "expected a JSON object");
    return NULL;
}

void json_in_close(struct json_in *in, json_t *root, bool ok)
{
    if (!ok && in->err->file[0] == 0)
        snprintf(in->err->file, sizeof in->err->file, "%s", in->file);
    json_decref(root);
}

bool json_in_malformed(const struct json_in *in, const char *what)
{
    return err_set(in->err, ERR_INPUT, "the record is malformed: %s: %s", in->where, what);
}

bool json_in_head(struct json_in *in, const json_t *root, const char *format, int version)
{
    const char *said = json_string_value(json_object_get(root, "format"));
    snprintf(in->where, sizeof in->where, "head");
    if (said == NULL || strcmp(said, format) != 0)
        return err_set(in->err, ERR_INPUT, "the record is malformed: %s: expected a %s", in->where,
                       format);
    return json_integer_value(json_object_get(root, "version")) == version ||
           json_in_malformed(in, "unknown version of the format");
}

bool json_in_each(struct json_in *in, const json_t *root, const char *key, json_type what,
                  bool (*one)(void *ctx, const json_t *v), void *ctx)
{
    const json_t *array = json_object_get(root, key);
    size_t i;
    json_t *json;
    snprintf(in->where, sizeof in->where, "%s", key);
    if (!json_is_array(array))
        return json_in_malformed(in, "expected an array");
    json_array_foreach(array, i, json)
    {
        snprintf(in->where, sizeof in->where, "%s[%zu]", key, i);
        if (json_typeof(json) != what)
            return json_in_malformed(in, what == JSON_OBJECT ? "expected an object"
                                                             : "expected a text");
        if (!one(ctx, json))
            return false;
    }
    return true;
}
