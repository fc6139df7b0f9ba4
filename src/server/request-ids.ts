/** So many ids end in other digits before they begin anew. */
const endings = 2 ** 48;

/** The last three digits, ready made: turning a number of this size into text takes as long as finding a kept page. */
const lastDigits = Array.from({ length: 16 ** 3 }, (_, n) => n.toString(16).padStart(3, '0'));

/**
 * Makes the function that names requests: in the form of a UUID, random in its first part for this process and counted
 * in its last, from somewhere. Random numbers for each request would cost more, and these are only to be told apart.
 */
export function requestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 24);
  const beginningOf = (count: number) =>
    process +
    Math.floor(count / lastDigits.length)
      .toString(16)
      .padStart(9, '0');
  let count = Math.floor(Math.random() * endings);
  let beginning = beginningOf(count);
  return () => {
    count = (count + 1) % endings;
    const last = count % lastDigits.length;
    if (last === 0) beginning = beginningOf(count);
    return beginning + lastDigits[last];
  };
}
