/**
 * The service worker's response to a request for a page's data when the page must be loaded as a whole document: there
 * is no network, or the data belongs to another version of the site.
 */
export const documentResponse = { status: 503, body: 'load the document' } as const;
