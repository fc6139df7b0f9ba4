/** Name of the Trusted Types policy that gives the service workers' addresses, and no others. */
export const workerPolicy = 'service-workers';

/** The form of a service worker's address: a path of this site. */
export const workerPath = /^\/(?:[a-z0-9-]+\/)*sw\.js$/;
