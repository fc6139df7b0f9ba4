/** Where the worker's script is found. */
export const workerPath = '/device-slideshow.js';

/** Name of the Trusted Types policy that gives the worker's address, and no other. */
export const policyName = 'device-slideshow';

/** What a video is made of, by the address of the zip: its ticket names the post, whose pictures both have. */
export const partsAddress = (zip: string) => zip.replace(/(?=\?|$)/, '/slideshow');
