/** So many ids end in other digits before they begin anew. */
const endings = 2 ** 48;

/**
 * Makes the function that names requests: in the form of a UUID, random in its first part for this process and counted
 * in its last, from somewhere. Random numbers for each request would cost more, and these are only to be told apart.
 */
export function requestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 24);
  let last = Math.floor(Math.random() * endings);
  return () => {
    last = (last + 1) % endings;
    return process + last.toString(16).padStart(12, '0');
  };
}
