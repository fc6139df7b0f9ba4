import { z } from 'zod';
import { success } from './describe.ts';

/** The call after the state of a page. */
export const statePath = (errors: object) => ({
  '/api/state': {
    get: {
      operationId: 'getState',
      summary: 'What the site knows of one of its pages and of the request; developer mode shows it.',
      parameters: [
        {
          name: 'path',
          in: 'query',
          schema: { type: 'string', default: '/' },
          description: 'Of the page, with its query.',
        },
      ],
      responses: {
        ...success('The state.', z.object({ code: z.literal(200), data: z.looseObject({}) })),
        ...errors,
      },
    },
  },
});
