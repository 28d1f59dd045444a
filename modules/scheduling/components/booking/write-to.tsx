/** How to reach the coach. */
export function WriteTo({ coach: { name, email } }: { coach: { name: string; email: string } }) {
  return (
    <p className="mt-6 text-ink-3">
      Questions?{' '}
      <a className="link hit wrap-anywhere" href={`mailto:${email}`}>
        Write to {name}
      </a>
    </p>
  )
}
