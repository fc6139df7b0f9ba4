/** The limits for a first visit until the page is usable. */
export const maxRequests = 12;
/** HTML, styles, scripts and the font for headings together, as they are sent: with brotli. */
export const maxBytes = 150_000;
