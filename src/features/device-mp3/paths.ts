/** Where the worker's script is found. */
export const workerPath = '/device-mp3.js';

/** Name of the Trusted Types policy that gives the worker's address, and no other. */
export const policyName = 'device-mp3';

/** What an mp3 is encoded from, of the file at `href`. */
export const framesAddress = (href: string) => href.replace(/(?=\?|$)/, '/frames');

/** Where the device says that it has made the file at `href`. */
export const madeAddress = (href: string) => href.replace(/(?=\?|$)/, '/made');
