import { z } from 'zod';

/** A schema as the content of a message; of a request, before what may be left out is filled in. */
export function json(schema: z.ZodType, io: 'input' | 'output' = 'output') {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return { 'application/json': { schema: body } };
}

/** The parameter for the language of messages. */
export const locale = {
  name: 'locale',
  in: 'query',
  schema: { type: 'string' },
  description: 'Language of messages; otherwise Accept-Language decides.',
} as const;

/** The response of a call that succeeds. */
export const success = (description: string, schema: z.ZodType) => ({
  200: { description, content: json(schema, 'input') },
});

/** The body that a call needs. */
export const body = (schema: z.ZodType) => ({ required: true, content: json(schema, 'input') });
