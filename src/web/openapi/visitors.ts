import { z } from 'zod';
import { endpointSchema, registrationSchema, replacesSchema } from '../../features/push/endpoints.ts';
import { eventData, mostInList, pageViewData } from '../../features/statistics/report-schema.ts';

/** What of it the site has. */
export interface VisitorCalls {
  readonly hasStatistics: boolean;
  readonly hasPush: boolean;
}

/** As a request has it: before what may be left out is filled in. */
function json(schema: z.ZodType) {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return { 'application/json': { schema: body } };
}

const upload = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('page_view'), upload_id: z.uuid(), data: pageViewData }),
  z.object({ mode: z.literal('event'), upload_id: z.uuid(), data: eventData }),
]);

const reports = z.union([upload, z.array(upload).min(1).max(mostInList)]);

const names = z.object({
  cscode: z.literal(0),
  data: z.object({
    token_id: z.string().optional().describe('The visitor, once something is kept of them.'),
    tmp_token_id: z.string().optional().describe('The visitor, before that.'),
    doc_id: z.string().optional(),
    visit_timestamp: z.int().optional().describe('Milliseconds since 1970.'),
    s_id: z.string().optional().describe('The visit.'),
    s_expiration: z.int().optional().describe('Seconds after the last report at which the visit ends.'),
  }),
});

const forgotten = z.object({ cscode: z.literal(0), data: z.object({ deleted: z.int() }) });

const registered = z.object({ code: z.literal(200) });

const success = (description: string, schema: z.ZodType) => ({ 200: { description, content: json(schema) } });
const body = (schema: z.ZodType) => ({ required: true, content: json(schema) });

const statisticsPath = (errors: object) => ({
  '/api/web/report': {
    post: {
      operationId: 'report',
      summary:
        'Tells what a visitor did who agreed to statistics. The same `upload_id` counts once; requests from pages of other sites are refused (403).',
      requestBody: body(reports),
      responses: {
        ...success(
          'Taken; nothing is kept of programs and of visitors who have not agreed, nor beyond what an hour has room for.',
          names,
        ),
        ...errors,
      },
    },
    delete: {
      operationId: 'forget',
      summary: 'Deletes everything that is kept under a visitor’s token.',
      requestBody: body(z.object({ token_id: z.string() })),
      responses: { ...success('How many reports were deleted.', forgotten), ...errors },
    },
  },
});

const pushPath = (errors: object) => ({
  '/index.php/sub/register': {
    post: {
      operationId: 'subscribe',
      summary:
        'Registers a device for notifications; the same endpoint again updates it. `replaces` names the endpoint that it had before.',
      requestBody: body(registrationSchema.extend(replacesSchema.shape)),
      responses: { ...success('Registered.', registered), ...errors },
    },
    delete: {
      operationId: 'unsubscribe',
      summary: 'Forgets a device.',
      requestBody: body(endpointSchema),
      responses: { ...success('Forgotten.', registered), ...errors },
    },
  },
});

const statePath = (errors: object) => ({
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
        {
          name: 'key',
          in: 'query',
          schema: { type: 'string' },
          description: 'Of the page cache, where the document was sent with one (`Server-Timing`).',
        },
      ],
      responses: {
        ...success('The state.', z.object({ code: z.literal(200), data: z.looseObject({}) })),
        ...errors,
      },
    },
  },
});

/** The calls by which browsers report and subscribe, as far as the site has them, and the state of its pages. */
export function visitorPaths(
  errors: object,
  { hasStatistics, hasPush }: VisitorCalls,
): Record<string, object> {
  return {
    ...(hasStatistics && statisticsPath(errors)),
    ...(hasPush && pushPath(errors)),
    ...statePath(errors),
  };
}
