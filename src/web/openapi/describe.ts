import { z } from 'zod';

/** A schema as the content of a request: before what may be left out is filled in. */
function json(schema: z.ZodType) {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return { 'application/json': { schema: body } };
}

/** The response of a call that succeeds. */
export const success = (description: string, schema: z.ZodType) => ({
  200: { description, content: json(schema) },
});

/** The body that a call needs. */
export const body = (schema: z.ZodType) => ({ required: true, content: json(schema) });
