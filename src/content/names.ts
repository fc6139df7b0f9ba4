/** The shape of names that are part of addresses, from any source. */

/** Names of articles, authors and folders: lower-case letters, digits and single hyphens. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const maxSlugLength = 100;

/** The name by which other programs know a category. */
export const uidPattern = /^[\w-]{1,40}$/;

/** A picture's, in the addresses of its files. */
export const pictureIdPattern = /^[\w-]{1,64}$/;
