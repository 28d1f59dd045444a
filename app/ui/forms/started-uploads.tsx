export type StartedUpload = { name: string; percent: number }

/** The uploads that were interrupted: the browser goes on with one once its file is chosen again. */
export function StartedUploads({ uploads }: { uploads: StartedUpload[] }) {
  if (!uploads.length) return null
  return (
    <p className="text-sm text-ink-2 wrap-anywhere">
      {uploads.map(({ name, percent }) => `“${name}” stopped at ${percent} %`).join(', ')}. Choose the same file again
      to go on.
    </p>
  )
}
