import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'summaries:consent:read': 'See who has agreed to transcripts',
  'summaries:consent:write': 'Record consent and its withdrawal, and say how long transcripts are kept',
  'summaries:transcript:read': 'Read the transcripts of sessions',
  'summaries:transcript:write': 'Add and delete transcripts',
  'summaries:summary:read': 'Read the summaries of sessions',
  'summaries:summary:write': 'Make, change, approve and share summaries',
  'client:summary:read': 'See the summaries shared with them in the portal',
}
