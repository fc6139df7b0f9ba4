import { z } from 'zod';
import { body, type Paths, success } from '../../server/openapi/describe.ts';
import { endpointSchema, registrationSchema } from './endpoints.ts';

const registered = z.object({ code: z.literal(200) });

/** The calls by which browsers subscribe, in the description of the API. */
export const pushPaths: Paths = {
  '/index.php/sub/register': {
    post: {
      operationId: 'subscribe',
      summary: 'Registers a device for notifications; the same endpoint again updates it.',
      requestBody: body(registrationSchema),
      responses: success('Registered.', registered),
    },
    delete: {
      operationId: 'unsubscribe',
      summary: 'Forgets a device.',
      requestBody: body(endpointSchema),
      responses: success('Forgotten.', registered),
    },
  },
};
