import type { z } from 'zod';
import type * as schemas from '../api/schemas.ts';

/** The public JSON shapes of the API as types: no browser loads their schemas. */

/** What a link resolves to: `POST /api/resolve`. */
export type ResolveResponse = z.infer<typeof schemas.resolveResponse>;
export type ResolveResult = ResolveResponse['result'];
type ResolvedPost = ResolveResult['post'];

/** A file of a post. */
export type DownloadOption = ResolveResult['options'][number];
export type OptionFormat = DownloadOption['format'];

/** An encoding of a post's video. */
export type VideoVersion = NonNullable<ResolvedPost['versions']>[number];

/** The spoken text of a video with its times. */
export type Captions = NonNullable<ResolvedPost['captions']>[number];

/** The posts of a sound, a creator or a hashtag that the platform shows without a log-in. */
export type ListResponse = z.infer<typeof schemas.listResponse>;
export type ListResult = ListResponse['result'];

export type ErrorResponse = z.infer<typeof schemas.errorResponse>;

/** The progress of a file that a browser fetches. */
export type ArrivalResponse = z.infer<typeof schemas.arrivalResponse>;

/** The response of `GET {href}/ready` when the file can be fetched. */
export type ReadyResponse = z.infer<typeof schemas.readyResponse>;

/** The response of `status_href`, as JSON and as the data of each `status` event. */
export type ConversionResponse = z.infer<typeof schemas.conversionResponse>;
