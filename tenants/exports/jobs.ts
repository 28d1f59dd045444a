import { formatDateTime } from '#app/lib/time.ts'
import { loadCoachContext } from '../accounts/accounts.ts'
import { forEachCoach } from '../for-each-coach.ts'
import { sendEmail } from '../mail.ts'
import { withTenant, type Platform } from '../platform.ts'
import { formatBytes } from '../storage.ts'
import { deleteExports, findExport } from './exports.ts'

/** Tells the coach that the export can be downloaded, unless another one has replaced it. */
export async function sendExportReady(platform: Platform, { coachId, id }: { coachId: number; id: number }) {
  const ctx = await loadCoachContext(platform, coachId, 'export', { orClosed: true })
  const ready = ctx && (await findExport(ctx))
  if (!ctx || ready?.id !== id || ready.state !== 'ready' || !ctx.account.emailVerified) return
  await sendEmail(
    platform.config,
    {
      to: ctx.account.email,
      subject: 'Your export is ready',
      paragraphs: [
        `The file with everything of your practice is ready. It has ${formatBytes(ready.size!)}.`,
        `Sign in and download it until ${formatDateTime(ready.expiresAt!, ctx.account)}; then it is deleted.`,
        "If you didn't ask for it, change your password.",
      ],
      button: { label: 'Open your export', url: `${platform.config.origin}/settings/export` },
      from: null,
    },
    platform.now(),
  )
}

/** Deletes the exports that can't be downloaded any more. */
export async function deleteExpiredExports(platform: Platform): Promise<void> {
  await forEachCoach(platform, ({ id }) =>
    withTenant(platform, id, (tx) => deleteExports({ ...tx, coachId: id }, platform.now())),
  )
}
