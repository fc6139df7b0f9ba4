import { z } from 'zod';
import { body, type Paths, success } from '../../server/openapi/describe.ts';
import { eventData, mostInList, pageViewData } from './report-schema.ts';

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

/** The calls by which browsers report, in the description of the API. */
export const reportPaths: Paths = {
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
      },
    },
    delete: {
      operationId: 'forget',
      summary: 'Deletes everything that is kept under a visitor’s token.',
      requestBody: body(z.object({ token_id: z.string() })),
      responses: success('How many reports were deleted.', forgotten),
    },
  },
};
