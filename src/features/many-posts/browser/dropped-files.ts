import { handToManyPosts } from '../../../site/browser/device/many-posts.ts';

/** Path of the page in the present page's language, which has a manifest beside its pages. */
const pagePath = () =>
  new URL('many-posts', document.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.href).pathname;

/** Hands dropped files to the page of runs, which takes them itself where it is shown. */
export function start(): void {
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0 || event.defaultPrevented) return;
    event.preventDefault();
    // Without room for them, the page asks for the files itself.
    void handToManyPosts(files).then(() => location.assign(pagePath()));
  });
}
