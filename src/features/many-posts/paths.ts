/** Where the worker's script is found. */
export const workerPath = '/many-posts.js';

/** End of the page's address after a phone has sent a shared file to the server. */
export const sentMark = '#sent';

/** Name of the Trusted Types policy that gives the worker's address, and no other. */
export const policyName = 'many-posts';
