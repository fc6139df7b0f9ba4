/** Pixels; the size that the networks' own pages are made for. */
const width = 626;
const height = 436;

/**
 * Opens a network in a centred window of its own: the page stays. The network learns neither this window nor the
 * referrer.
 */
export function openPopup(link: string): void {
  const left = Math.round(screenX + (outerWidth - width) / 2);
  const top = Math.round(screenY + (outerHeight - height) / 2);
  open(link, '_blank', `popup,noopener,noreferrer,width=${width},height=${height},left=${left},top=${top}`);
}
