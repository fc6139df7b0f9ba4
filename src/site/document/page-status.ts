/** An unparseable request appears as a missing page to a visitor who followed a link. */
export function pageStatus(status: number): number {
  return status === 400 ? 404 : status;
}
