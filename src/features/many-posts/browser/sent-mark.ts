/** End of the page's address after a phone has sent a shared file to the server. */
export const sentMark = '#sent';
