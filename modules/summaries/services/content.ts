import { escapeMarkup } from '#app/lib/markup.ts'
import type { Action, Claim, SummaryContent } from '../types.ts'

/** The summary as plain text: for the search, the history and exports. */
export function formatContent({ overview, takeaways, actions }: SummaryContent): string {
  return [
    overview.map(({ text }) => text).join(' '),
    formatList('Key takeaways', takeaways),
    formatList('Action items', actions),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const formatList = (title: string, claims: (Claim | Action)[]): string =>
  claims.length ? [title, ...claims.map((claim) => `- ${claim.text}${formatDue(claim)}`)].join('\n') : ''

function formatDue(claim: Claim | Action): string {
  if (!('owner' in claim)) return ''
  const facts = [claim.owner && ownerNames[claim.owner], claim.due && `by ${claim.due}`].filter(Boolean).join(', ')
  return facts && ` (${facts})`
}

const ownerNames = { coach: 'coach', client: 'client' }

/** The summary as an interaction of the client, in light markup. */
export function toInteraction({ overview, takeaways, actions }: SummaryContent) {
  const list = (title: string, claims: (Claim | Action)[]) =>
    claims.length
      ? [`**${title}**`, ...claims.map((claim) => `• ${escapeMarkup(`${claim.text}${formatDue(claim)}`)}`)].join('\n')
      : ''
  const content = [list('Key takeaways', takeaways), list('Action items', actions)].filter(Boolean).join('\n')
  const summary = overview.length ? overview.map(({ text }) => text).join(' ') : (takeaways[0]?.text ?? '')
  return { content: cut(content) || null, summary: cut(escapeMarkup(summary)) || null }
}

/** Interactions have at most 50,000 characters. */
const cut = (text: string): string => (text.length > 50_000 ? `${text.slice(0, 49_000).toWellFormed()}…` : text)
