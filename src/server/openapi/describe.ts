import { z } from 'zod';

/** A call. The responses that every call may have are added to its own. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<number, object>>;
}

/** Calls of the API by path and method, as OpenAPI 3.1 describes them. */
export type Paths = Readonly<
  Record<
    string,
    { readonly parameters?: readonly object[] } & {
      readonly [method in 'get' | 'head' | 'post' | 'delete']?: Operation;
    }
  >
>;

/** A schema as the content of a message; of a request, before what may be left out is filled in. */
export function json(schema: z.ZodType, io: 'input' | 'output' = 'output') {
  const { $schema: _, ...body } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return { 'application/json': { schema: body } };
}

/** A text in the query of a call. */
export const query = (name: string, description: string, schema: object = {}, required = false) => ({
  ...{ name, in: 'query', ...(required && { required }), schema: { type: 'string', ...schema }, description },
});

/** The parameter for the language of messages. */
export const locale = query('locale', 'Language of messages; otherwise Accept-Language decides.');

/** The response of a call that succeeds. */
export const success = (description: string, schema: z.ZodType) => ({
  200: { description, content: json(schema, 'input') },
});

/** The response of a call that answers with exactly these fields. */
export const answer = (description: string, schema: z.ZodType) => ({
  200: { description, content: json(schema) },
});

/** The body that a call needs. */
export const body = (schema: z.ZodType) => ({ required: true, content: json(schema, 'input') });
