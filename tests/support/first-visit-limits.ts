/** What a first visit may cost before the page is usable. */
export const maxRequests = 12;
/** HTML, styles, scripts and the face of headings together, as they are sent: with brotli. */
export const maxBytes = 150_000;
