import type { Paths } from '../../server/openapi/describe.ts';
import { forms } from '../../site/forms.ts';

const content = (schema: object) => ({ 'application/json': { schema } });

const kept = {
  type: 'object',
  properties: {
    cscode: { const: 200 },
    data: { type: 'object', properties: { reference: { type: 'string' } }, required: ['reference'] },
  },
  required: ['cscode', 'data'],
};

/** A form as a call: the same fields, the same rules. */
function formPath(form: keyof typeof forms, summary: string) {
  const fields = forms[form];
  return {
    post: {
      operationId: form,
      summary,
      requestBody: {
        required: true,
        content: content({
          type: 'object',
          properties: Object.fromEntries(
            fields.map(({ name, most }) => [name, { type: 'string', maxLength: most }]),
          ),
          required: fields.filter(({ required }) => required).map(({ name }) => name),
        }),
      },
      responses: {
        200: { description: 'Kept; the answer comes by e-mail.', content: content(kept) },
        422: {
          description: '`form_invalid`, with what is wrong in `error.fields`.',
          content: content({ type: 'object' }),
        },
      },
    },
  };
}

/** The calls by which visitors write to the operator, in the description of the API. */
export const messagePaths: Paths = {
  '/api/contact': formPath('contact', 'Writes to the operator.'),
  '/api/dmca': formPath('dmca', 'Sends a copyright notice to the operator.'),
};
