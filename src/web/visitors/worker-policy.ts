/** Name of the Trusted Types policy that gives the service workers' addresses, and no others. */
export const workerPolicy = 'service-workers';

/** What the address of a service worker may look like: a path of this site. */
export const workerPath = /^\/(?:[a-z0-9-]+\/)*sw\.js$/;
