import { z } from 'zod';
import { matching } from '../item-fields.ts';
import { networkOf, networks } from './networks.ts';
import { templateProblem } from './share-link.ts';

/** More would be no help to choose. */
const mostNetworks = 10;

/** Identifies a network: our name for it, or the given one. */
const idOf = (name: string): string => networkOf(name) ?? name;

const hashtag = matching(/^[\p{L}\p{N}_]{1,50}$/u, 'must be a word without "#"');

/** The field of the site configuration file that shows the share bar. */
export const shareConfig = z
  .strictObject({
    /** Names of networks; those that are usual in a language where it is left out. */
    share_web_list: z.array(z.string().trim().min(1).max(30)).min(1).max(mostNetworks).optional(),
    /** Their addresses, in the same order; empty for the one that is known. */
    share_link_list: z.array(z.string().max(500)).optional(),
    hashtags: z.array(hashtag).max(5).default([]),
    twitterUser: matching(/^\w{1,15}$/, 'must be a name without "@"').default(''),
  })
  .superRefine(({ share_web_list: names = [], share_link_list: links = [] }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (links.length > names.length)
      refuse(['share_link_list', names.length], 'has no network at its place in "share_web_list"');
    const known = Object.keys(networks).join(', ');
    const ids = names.map((name) => idOf(name).toLowerCase());
    names.forEach((name, at) => {
      if (ids.indexOf(ids[at] ?? '') !== at) refuse(['share_web_list', at], `"${name}" stands here twice`);
      const link = links[at] ?? '';
      const problem = link === '' ? null : templateProblem(link);
      if (problem !== null) refuse(['share_link_list', at], problem);
      if (link === '' && networkOf(name) === undefined)
        refuse(
          ['share_web_list', at],
          `"${name}" is none of ${known}: "share_link_list" must have its address`,
        );
    });
  })
  .transform(({ share_web_list, share_link_list = [], ...marks }) => ({
    /** Null for those that are usual in each language. */
    networks:
      share_web_list?.map((name, at) => ({ id: idOf(name), link: share_link_list[at] || null })) ?? null,
    marks,
  }));

/** The share bar of the site configuration. */
export type ShareConfiguration = z.infer<typeof shareConfig>;

/** A network by our name or the given one, and its address (see `share-link.ts`): null for the one that is known. */
export type ConfiguredNetwork = NonNullable<ShareConfiguration['networks']>[number];
