/** A request that could not be understood is, to whoever followed a link, a page that does not exist. */
export function pageStatus(status: number): number {
  return status === 400 ? 404 : status;
}
