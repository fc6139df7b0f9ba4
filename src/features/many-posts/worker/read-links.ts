import { addressOf, recogniseAll } from '../../../downloader/links/recognise.ts';
import { linkTables } from '../../../downloader/links/tables.ts';
import { platformLink } from '../../../site/configuration/platforms.ts';

/** Links of an export differ in nothing but their numbers: each form is looked at once. */
const mostForms = 2000;
const postNumber = /\d{15,20}/;

/** A function that gives the address of the post that a link leads to; null where it leads to none. */
export function createLinkReader(): (link: string) => string | null {
  /** The address before and after the number, by the link's form; null for a form that has to be read each time. */
  const forms = new Map<string, readonly [string, string] | null>();

  function learn(form: string, address: string | null, id: string | undefined): void {
    if (forms.size >= mostForms) return;
    const [before, after, ...more] = address?.split(id ?? '') ?? [];
    const isPlain = id !== undefined && before !== undefined && after !== undefined && more.length === 0;
    forms.set(form, isPlain ? [before, after] : null);
  }

  return (link) => {
    const id = postNumber.exec(link)?.[0];
    const form = id === undefined ? '' : link.replace(id, `#${id.length}`);
    const known = id === undefined ? null : forms.get(form);
    if (known) return known[0] + id + known[1];
    if (!platformLink.test(link)) return null;
    const [post] = recogniseAll(link, linkTables, 1);
    const address = post === undefined ? null : addressOf(post, linkTables);
    if (known === undefined) learn(form, address, id);
    return address;
  };
}
