import { formatDateTime } from '#app/lib/time.ts'
import { loadCoachContext } from '../accounts/accounts.ts'
import type { CoachAccount } from '../auth/viewer.ts'
import { forEachCoach } from '../for-each-coach.ts'
import { sendEmail, type Email } from '../mail.ts'
import { withTenant, type Platform } from '../platform.ts'
import { formatBytes } from '../storage.ts'
import { deleteExports, findExport, type ExportEntry } from './exports.ts'

/** Tells the coach that the export can be downloaded, or that it failed, unless another one has replaced it. */
export async function sendExportEmail(platform: Platform, { coachId, id }: { coachId: number; id: number }) {
  const ctx = await loadCoachContext(platform, coachId, 'export', { orClosed: true })
  const latest = ctx && (await findExport(ctx))
  if (!ctx || latest?.id !== id || !ctx.account.emailVerified) return
  const email = composeEmail(latest, ctx.account, `${platform.config.origin}/settings/export`)
  if (email) await sendEmail(platform.config, email, platform.now())
}

/** The email about an export that has ended; null while it is being made, and once it is deleted. */
function composeEmail({ state, size, expiresAt }: ExportEntry, account: CoachAccount, url: string): Email | null {
  const ifUnknown = "If you didn't ask for it, change your password."
  if (state === 'ready')
    return {
      to: account.email,
      subject: 'Your export is ready',
      paragraphs: [
        `The file with everything of your practice is ready. It has ${formatBytes(size!)}.`,
        `Sign in and download it until ${formatDateTime(expiresAt!, account)}; then it is deleted.`,
        ifUnknown,
      ],
      button: { label: 'Open your export', url },
      from: null,
    }
  if (state !== 'failed') return null
  return {
    to: account.email,
    subject: 'Your export could not be made',
    paragraphs: [
      'Something went wrong while the file with everything of your practice was being made. Please try again.',
      ifUnknown,
    ],
    button: { label: 'Make another one', url },
    from: null,
  }
}

/** Deletes the exports that can't be downloaded any more. */
export async function deleteExpiredExports(platform: Platform): Promise<void> {
  await forEachCoach(platform, ({ id }) =>
    withTenant(platform, id, (tx) => deleteExports({ ...tx, coachId: id }, platform.now())),
  )
}
