/**
 * What `/ask` is sent and what it answers (NLWeb 0.55), and questions to show.
 *
 * @module
 */

import { z } from "zod";
import { Match } from "../../operations/match.ts";
import { Basis, Carrier, Check, Mcs150, SnapshotFacts, UcrFee } from "../../rules/schemas.ts";
import SHOWN from "../examples.json" with { type: "json" };
import { MAX_QUESTION } from "../tokens/tokens.ts";

export const NLWEB_VERSION = "0.55";

/** The form of the answers, as NLWeb names it. */
export const RESPONSE_FORMAT = "conversational_search";

/** Names under which that form is asked for; the second one is older. */
export const RESPONSE_FORMATS: readonly string[] = [RESPONSE_FORMAT, "conv_search"];

export const MODES: readonly string[] = ["list", "summarize"];

const GIVE = `give a string, or an object with text, of at most ${MAX_QUESTION} characters`;
const text = z.string().max(MAX_QUESTION, { error: GIVE });
// Only the last few are read, so that a long conversation is no error.
const earlier = z.array(z.string());

// The document says what is offered; what else is asked for is refused with a code of its own.
const oneMode = `\\s*(${MODES.join("|")})\\s*`;
const mode = z.string().max(100).describe("`list`, `summarize` or both, comma separated")
  .meta({ pattern: `^${oneMode}(,${oneMode})*$` });
const format = z.string().max(100).describe("The form of the answer")
  .meta({ enum: [...RESPONSE_FORMATS] });
const streaming = z.boolean().describe("Answer as server-sent events");

/** The body of a request; members it does not know are ignored. Older forms have some at the top. */
export const AskRequest = z.object({
  query: z.union([text, z.object({ text: text.nullish() })], {
    error: GIVE,
  }).nullish().describe("The question, as a string or as an object with `text`"),
  context: z.object({ prev: earlier.nullish().describe("Earlier questions, oldest first") })
    .nullish(),
  prefer: z.object({
    streaming: streaming.optional(),
    mode: mode.optional(),
    response_format: format.optional(),
  }).nullish(),
  meta: z.object({ request_id: z.string().max(200).optional().describe("Echoed in `_meta`") })
    .nullish(),
  prev: z.union([z.string(), earlier]).nullish().describe("Older form of `context.prev`"),
  streaming: streaming.optional().describe("Older form of `prefer.streaming`"),
  mode: mode.optional().describe("Older form of `prefer.mode`"),
}).meta({ id: "AskRequest" });

const grounding = z.object({
  source_urls: z.array(z.url()).min(1).describe("Where the answer can be checked"),
  citations: z.array(Basis).optional().describe("Files with their dates, and rules"),
  snapshot: SnapshotFacts.optional(),
});
const filled = z.string().min(1);
const about = z.array(z.string()).describe(
  "What the result answers, e.g. `status`; `declined:` and a topic for what is not answered",
);

export const CarrierItem = z.object({
  "@type": z.literal("Organization"),
  name: filled.describe("As filed, without control characters and double quotes"),
  alternateName: filled.optional().describe("The DBA name, if it filed one"),
  about,
  url: z.url(),
  identifier: z.string().describe("`USDOT` and the number"),
  description: filled.describe("The answer in words"),
  address: z.object({
    "@type": z.literal("PostalAddress"),
    addressLocality: z.string(),
    addressRegion: z.string(),
  }),
  mc_number: Carrier.shape.mc_number.optional(),
  match: Match.shape.carriers.element.optional().describe("The name given, compared"),
  checks: z.array(Check).optional().describe("The checks asked for"),
  grounding,
});

/** An answer that is no carrier. */
export const AnswerItem = z.object({
  "@type": z.literal("Answer"),
  name: filled.describe("What it answers"),
  about,
  text: filled,
  url: z.url(),
  ucr_fee: UcrFee.optional(),
  mcs150: Mcs150.optional(),
  grounding,
});

/** The results in one text, with `mode` `summarize`. */
const SummaryItem = z.object({ "@type": z.literal("SearchSummary"), text: filled, grounding });

export const AskResult = z.discriminatedUnion("@type", [CarrierItem, AnswerItem, SummaryItem]);

export const Elicitation = z.object({
  text: filled,
  questions: z.array(z.object({
    id: z.string().describe(
      "What is missing: `carrier`, `name` (with options), `dot`, `mc`, `vehicles`, `year`, `number` or `question`",
    ),
    text: filled,
    type: z.enum(["single_select", "text"]),
    options: z.array(z.string()).optional(),
  })).min(1),
});

export const Failure = z.object({
  code: z.enum([
    "NO_RESULTS",
    "CANCELLED",
    "OUT_OF_SCOPE",
    "INVALID_REQUEST",
    "INVALID_PARAMETER",
    "UNSUPPORTED_MODE",
    "UNSUPPORTED_FORMAT",
    "UPSTREAM_UNAVAILABLE",
    "INTERNAL_ERROR",
  ]),
  message: filled,
  details: z.object({
    declined: z.array(z.string()).optional().describe("Topics that are not answered here"),
    where: z.array(z.object({ name: z.string(), url: z.url() })).optional()
      .describe("Where to look for them"),
    instead: z.array(z.url()).optional().describe("What can be asked here instead"),
    given: z.int().min(0).optional().describe("How many carriers the question names"),
    source_urls: z.array(z.url()).optional().describe("What was searched"),
  }).optional(),
});

const meta = <T extends string>(type: T) =>
  z.object({
    response_type: z.literal(type),
    version: z.literal(NLWEB_VERSION),
    response_format: z.literal(RESPONSE_FORMAT),
    request_id: z.string().optional(),
    streaming: z.boolean().optional(),
    understood: z.string().optional().describe("How the question was understood, in words"),
  });

export const AskResponse = z.union([
  z.object({ _meta: meta("answer"), results: z.array(AskResult).min(1) }),
  z.object({ _meta: meta("elicitation"), elicitation: Elicitation }),
  z.object({ _meta: meta("failure"), error: Failure }),
]).meta({ id: "AskResponse" });

export type AskResult = z.infer<typeof AskResult>;
export type AskResponse = z.infer<typeof AskResponse>;
export type CarrierItem = z.infer<typeof CarrierItem>;
export type AnswerItem = z.infer<typeof AnswerItem>;
export type Elicitation = z.infer<typeof Elicitation>;
export type Failure = z.infer<typeof Failure>;

/**
 * Questions to show, each one that is understood, by the id of the operation that answers them; and a
 * follow-up with the question before it.
 */
export const { questions: EXAMPLES, followUp: FOLLOW_UP } = SHOWN;
