import { z } from 'zod';
import { type Paths, success } from '../../server/openapi/describe.ts';
import { services } from '../../server/tally/names.ts';

const state = z.enum(['working', 'troubled', 'broken', 'unknown']);
const share = z.number().min(0).max(1).nullable();

const statusResponse = z.object({
  code: z.literal(200),
  result: z.object({
    state: state.describe('The worst of all kinds; an incident that lasts is at least a trouble.'),
    checked_at: z.iso.datetime(),
    kinds: z.array(
      z.object({
        kind: z.enum(services),
        state: state.describe('Of this hour and the one before. `unknown`: too few have tried.'),
        share: share.describe('Of requests that succeeded within 24 hours.'),
        hours: z.array(share).describe('The same of each hour, the oldest first.'),
      }),
    ),
    incidents: z.array(
      z.object({ text: z.string(), began_at: z.iso.datetime(), ended_at: z.iso.datetime().nullable() }),
    ),
  }),
});

/** The call for the site's state, in the description of the API. */
export const statusPaths: Paths = {
  '/api/status': {
    get: {
      operationId: 'getSiteStatus',
      summary: 'Whether links and files work now, and how they fared in the last 24 hours.',
      responses: success('The state, at most ten seconds old.', statusResponse),
    },
  },
};
