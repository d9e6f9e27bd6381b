import type {
  BooleanPropertySchema,
  ElicitationContentValue,
  IntegerPropertySchema,
  MultiSelectPropertySchema,
  NumberPropertySchema,
  StringPropertySchema,
} from '../../protocol/acp.ts';

/** One field of a form: a text, one of several texts, a number, a yes or no, or several of several texts. */
export type FormField =
  | (StringPropertySchema & { readonly type: 'string' })
  | (NumberPropertySchema & { readonly type: 'number' })
  | (IntegerPropertySchema & { readonly type: 'integer' })
  | (BooleanPropertySchema & { readonly type: 'boolean' })
  | (MultiSelectPropertySchema & { readonly type: 'array' });

/** What a person is asked to fill in. */
export interface Form {
  readonly title?: string;
  readonly description?: string;
  /** The fields in their order, by name. */
  readonly fields: Readonly<Record<string, FormField>>;
  /** Names of the fields that must be filled in. */
  readonly required?: readonly string[];
}

/** A page that a person is asked to visit, for what is no business of the client: a password, a payment. */
export interface PageToVisit {
  /** Names this question in `visited`. */
  readonly id: string;
  readonly url: string;
}

/** What came of a form. */
export type FormAnswer =
  | {
      readonly action: 'accept';
      readonly content: Readonly<Record<string, ElicitationContentValue>>;
    }
  | { readonly action: 'decline' }
  /** Put away; or answered with what does not fit the form, and how, in sentences. */
  | { readonly action: 'cancel'; readonly faults?: readonly string[] };

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => DATE.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
};

/** Reads the client's answer as strictly as the form is meant. */
export function readFormAnswer(answer: unknown, form: Form): FormAnswer {
  const action = actionOf(answer);
  if (action !== 'accept') return { action };
  const given = fieldsOf(answer, 'content');
  const content: Record<string, ElicitationContentValue> = {};
  const faults = Object.entries(form.fields).flatMap(([name, field]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      return form.required?.includes(name) === true ? [`"${name}" is missing.`] : [];
    }
    const fault = isValue(value) ? faultOf(value, field) : 'is nothing that a form can hold';
    if (fault !== undefined) return [`"${name}" ${fault}.`];
    if (isValue(value)) content[name] = value;
    return [];
  });
  return faults.length > 0 ? { action: 'cancel', faults } : { action, content };
}

/** What the person did; what is neither a yes nor a no counts as put away. */
export function actionOf(answer: unknown): 'accept' | 'decline' | 'cancel' {
  const action = typeof answer === 'object' && answer && 'action' in answer ? answer.action : '';
  return action === 'accept' || action === 'decline' ? action : 'cancel';
}

function fieldsOf(answer: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof answer !== 'object' || answer === null) return {};
  const value: unknown = Object.entries(answer).find(([key]) => key === name)?.[1];
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function isValue(value: unknown): value is ElicitationContentValue {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** @returns What does not fit, to be read behind the field's name. */
function faultOf(value: ElicitationContentValue, field: FormField): string | undefined {
  switch (field.type) {
    case 'string':
      return typeof value === 'string' ? textFault(value, field) : 'is no text';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'is neither true nor false';
    case 'array':
      return Array.isArray(value) ? choiceFault(value, field) : 'is no list';
    default:
      return typeof value === 'number' ? numberFault(value, field) : 'is no number';
  }
}

function textFault(text: string, field: StringPropertySchema): string | undefined {
  // As JSON Schema counts: a pair of surrogates is one character.
  const { length } = Array.from(text);
  if (length < (field.minLength ?? 0)) return 'is too short';
  if (length > (field.maxLength ?? Infinity)) return 'is too long';
  const allowed = field.enum ?? field.oneOf?.map((one) => one.const);
  if (allowed && !allowed.includes(text)) return 'is none of the choices';
  if (field.pattern && !new RegExp(field.pattern, 'u').test(text)) return 'has another form';
  if (field.format && FORMATS[field.format]?.(text) === false) return `is no ${field.format}`;
  return undefined;
}

function numberFault(value: number, field: FormField & { type: 'number' | 'integer' }) {
  if (field.type === 'integer' && !Number.isSafeInteger(value)) return 'is no whole number';
  if (value < (field.minimum ?? -Infinity)) return 'is too small';
  return value > (field.maximum ?? Infinity) ? 'is too big' : undefined;
}

function choiceFault(values: readonly string[], field: MultiSelectPropertySchema) {
  if (values.length < (field.minItems ?? 0)) return 'has too few choices';
  if (values.length > (field.maxItems ?? Infinity)) return 'has too many choices';
  if (new Set(values).size < values.length) return 'has a choice twice';
  const allowed = choicesOf(field.items);
  const isKnown = values.every((value) => allowed === undefined || allowed.includes(value));
  return isKnown ? undefined : 'has a choice that was not offered';
}

/** Undefined for a kind of list that nobody knows yet. */
function choicesOf(items: object): readonly unknown[] | undefined {
  if ('enum' in items && Array.isArray(items.enum)) return items.enum.map((one: unknown) => one);
  if (!('anyOf' in items) || !Array.isArray(items.anyOf)) return undefined;
  return items.anyOf.map((one: unknown) => fieldsOf({ one }, 'one')['const']);
}
