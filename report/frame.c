/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/frame.h"
#include "report/field_map.h"
#include "report/markup.h"

static const char style_sheet[] =
#include "report/page.css.inc" /* made from page.css */
    ;

static const char script[] =
#include "report/page.js.inc" /* made from page.js */
    ;

void ct_page_begin(struct ct_page *page, const char *title)
{
    struct ct_text *html = &page->html;
    ct_text_append(html, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    ct_html_text(html, title);
    ct_text_append(html, " – colltune</title>\n<style>\n%s</style></head>\n<body id=\"top\">\n", style_sheet);
    ct_field_hatch_add(page);
}

void ct_page_finish(struct ct_page *page, const char *command)
{
    ct_text_append(&page->html,
                   "<footer>Made by colltune %s.%s</footer>\n<script>\n%s</script>\n</body></html>\n",
                   command, page->picture_count > 0 ? " gnuplot drew the curves." : "", script);
    ct_pictures_draw(page);
    if (page->html.failed)
        ct_page_note(page, CT_E_MEMORY);
}
