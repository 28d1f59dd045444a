/** By the `intent` of the form. */
export const sharingMessages = {
  'add-link': { done: 'The link is made. Copy it and send it.', failed: 'Failed to make the link' },
  embed: { done: 'Websites saved', failed: 'Failed to save the websites' },
  'revoke-link': { done: { title: 'The link no longer works' }, failed: 'Failed to revoke the link' },
}
