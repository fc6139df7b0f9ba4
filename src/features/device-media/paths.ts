/** The workers' scripts on this site. mediabunny is in one of them, LAME in the other. */
export const workerPaths = { mp3: '/device-mp3.js', video: '/device-video.js' } as const;

/** Name of the Trusted Types policy that gives the workers' addresses, and no other. */
export const policyName = 'device-media';

/** The address of what belongs to the file at `href`: calls are paths below it, before the query. */
const below = (href: string, what: string) => href.replace(/(?=\?|$)/, `/${what}`);

/** Address of the frames that an mp3 is encoded from, of the file at `href`. */
export const framesAddress = (href: string) => below(href, 'frames');

/** Where the device says that it has made the file at `href`. */
export const madeAddress = (href: string) => below(href, 'made');

/** Address of a video's parts, by that of the zip: its ticket names the post, whose pictures both have. */
export const partsAddress = (zip: string) => below(zip, 'slideshow');
