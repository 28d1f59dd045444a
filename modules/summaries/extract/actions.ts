import type { ActionOwner, SessionContext } from '../types.ts'
import { findDueDate } from './due-dates.ts'
import { createRoleFinder, type RoleFinder } from './roles.ts'
import type { Sentence } from './sentences.ts'
import { toStem } from './wording.ts'

export type ActionSentence = { sentence: Sentence; owner: ActionOwner | null; due: string | null }

const shortest = 4
const longest = 40
const maxActions = 10
/** Each is compared with the others. */
const maxConsidered = 300

const task =
  'add|apply|arrange|ask|block|book|bring|buy|call|cancel|change|check|choose|clean|collect|complete|contact|count|create|' +
  'cut|decide|define|delegate|describe|design|discuss|do|draft|email|e-mail|fill|find|finish|fix|follow up|forward|get|' +
  'give|hand|hire|identify|introduce|invite|join|journal|keep|learn|leave|limit|list|mail|make|map|measure|meet|mention|' +
  'message|move|note|organize|organise|pay|phone|pick|plan|post|practice|practise|prepare|print|propose|publish|put|reach out|' +
  'read|record|reduce|reflect|register|rehearse|remind|renew|reply|report|research|reserve|reschedule|review|revise|run|' +
  'schedule|send|set|share|sign|sketch|sort out|speak|spend|start|stop|submit|switch|talk to|talk with|tell|test|text|track|' +
  'try|turn|update|upload|visit|walk|work on|write'
const adverbs = '(?:also |then |definitely |just |really |certainly |try to |make sure to )?'

/** A speaker commits to something, or asks the other one to do it. Not: "I'll tell you what I felt." */
const promise = new RegExp(
  `\\bi(?:'ll| will|'m going to| am going to|'m gonna| promise to| commit to| need to| have to| plan to|'m committing to) ${adverbs}(?!tell you|ask you)(?:${task})\\b`,
)
const request = new RegExp(
  `\\b(?:(?:can|could|will) you (?:please )?|please |(?:i'd like|i would like|i want|i need|i invite|i encourage) you to |you(?:'ll| will| should| need to|'re going to| are going to) |your (?:homework|task|assignment) (?:is|will be) to )${adverbs}(?:${task})\\b`,
)
const agreement = new RegExp(
  `\\b(?:let's|we(?:'ll| will| should| need to|'re going to| are going to)) ${adverbs}(?!talk|start|get|do|move|keep|say|put|call|make|find|stop|see)(?:${task})\\b`,
)
const named =
  /\b(?:action item|next step|homework|to-do|todo)\b.{0,20}\b(?:is|will be|are)\b|^(?:action item|next step|homework)s?:/
const uncertain =
  /\b(?:if i|if you|if we|would have|should have|might|maybe|perhaps|unless|whether|i guess|i wonder|don't know)\b/

/** Sentences in which somebody takes on a task, at most ten. Their owner and due date only where they are mentioned. */
export function findActions(sentences: Sentence[], session: SessionContext): ActionSentence[] {
  const findRole = createRoleFinder(
    sentences.map(({ speaker }) => speaker),
    session,
  )
  const considered = sentences.flatMap((sentence) => {
    if (sentence.words.length < shortest || sentence.words.length > longest) return []
    const owner = findOwner(sentence, findRole)
    return owner === undefined ? [] : [{ sentence, owner }]
  })
  const actions: (ActionSentence & { stems: Set<string> })[] = []
  // A session closes with what was agreed.
  for (const { sentence, owner } of considered.slice(-maxConsidered)) {
    const stems = new Set(sentence.words.map(toStem).filter((stem) => stem !== null))
    if (stems.size < 2 || actions.some((other) => isSame(other.stems, stems))) continue
    actions.push({ sentence, owner, due: findDueDate(sentence.text, session.date), stems })
  }
  const datedFirst = [...actions.keys()].sort(
    (a, b) => Number(actions[b]!.due !== null) - Number(actions[a]!.due !== null) || b - a,
  )
  const kept = new Set(datedFirst.slice(0, maxActions))
  return actions.filter((_, index) => kept.has(index)).map(({ sentence, owner, due }) => ({ sentence, owner, due }))
}

/** Undefined for a sentence that is no action, null where nobody in particular takes it on. */
function findOwner({ speaker, text, words }: Sentence, findRole: RoleFinder): ActionOwner | null | undefined {
  const lower = words.join(' ')
  if (uncertain.test(lower)) return undefined
  const role = findRole(speaker)
  if (promise.test(lower)) return role
  if (request.test(lower)) return role === null ? null : role === 'coach' ? 'client' : 'coach'
  return agreement.test(lower) || named.test(text.toLowerCase()) ? null : undefined
}

/** Two sentences with mostly the same words. */
function isSame(a: Set<string>, b: Set<string>): boolean {
  const common = [...a].filter((stem) => b.has(stem)).length
  return common / Math.min(a.size, b.size) >= 0.75
}
