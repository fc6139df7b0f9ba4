/** Where the worker's script is found. */
export const workerPath = '/many-posts.js';

/** Name of the Trusted Types policy that gives the worker's address, and no other. */
export const policyName = 'many-posts';
