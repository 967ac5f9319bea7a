'use strict';

// Everything from the server is shown with textContent; nothing here makes HTML out of text.

const SHOP = new URL('shop/', document.baseURI);
const FAST = 500;
const SLOW = 15000;
const AT_ONCE = 6;
const LIMIT = 10000;

const byId = (id) => document.getElementById(id);
let paused = false;
let failures = 0;
let timer = 0;
let last = null;

/* ---- asking the shop ---- */

async function ask(path, options) {
  const response = await fetch(new URL(path, SHOP), { cache: 'no-store', ...options }).catch(() => {
    throw new Error('The shop does not answer.');
  });
  const text = await response.text();
  const body = parsed(text);
  if (!response.ok) {
    throw Object.assign(new Error(body?.detail ?? `The server answered ${response.status}.`), { problem: body ?? {} });
  }
  return body;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const place = (order) =>
  ask('orders', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(order) });

/* ---- watching ---- */

async function look() {
  clearTimeout(timer);
  try {
    show(await ask('overview'));
    failures = 0;
    say('state', paused ? 'Paused.' : 'Live.');
  } catch (error) {
    failures++;
    const wait = Math.round(delay() / 1000);
    say('state', `No current data: ${error.message} ${paused ? '' : `Retrying in ${wait} s.`}`, true);
  }
  next();
}

function next() {
  clearTimeout(timer);
  if (!paused && !document.hidden) {
    timer = setTimeout(look, delay());
  }
}

const delay = () => Math.min(SLOW, FAST * 2 ** failures);

function show(overview) {
  for (const [name, value] of Object.entries(overview.counts)) {
    const shown = value >= LIMIT ? `${LIMIT.toLocaleString('en')}+` : value.toLocaleString('en');
    document.querySelectorAll(`[data-count="${name}"]`).forEach((place) => write(place, shown));
  }
  const before = last?.counts;
  last = overview;
  const now = overview.counts;
  move('to-outbox', before && now.orders > before.orders);
  move('to-relay', now.outbox > 0);
  move('to-warehouse', before && now.shipments > before.shipments);
  move('to-mail', before && now.mails > before.mails);
  move('to-dead', before && now.deadLetters > before.deadLetters);
  rows('orders', overview.orders, (order) => order.id, orderCells);
  rows('shipments', overview.shipments, (parcel) => parcel.id, (parcel) => [
    short(parcel.order), cell(parcel.item), number(parcel.quantity),
    parcel.direction === 'OUT' ? mark('→ out', 'good') : mark('← back', 'busy'),
  ]);
  rows('mails', overview.mails, (mail) => mail.id, (mail) => [
    short(mail.order), cell(mail.subject), number(mail.attempt),
  ]);
  rows('deadLetters', overview.deadLetters, (dead) => dead.id + dead.handler, (dead) => [
    short(dead.aggregate), short(dead.handler), cell(dead.attempts, 'number wide'), cell(dead.error),
  ]);
}

const move = (id, moving) => byId(id).classList.toggle('moving', Boolean(moving));

function write(place, text) {
  if (place.textContent !== text) {
    place.textContent = text;
  }
}

/* ---- tables: a row is made anew only when it changed, so that focus and selection stay ---- */

function rows(id, entries, keyOf, cellsOf) {
  const table = byId(id);
  const body = table.tBodies[0];
  const old = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  const wanted = entries.map((entry) => {
    const key = String(keyOf(entry));
    const state = JSON.stringify(entry);
    const row = old.get(key) ?? document.createElement('tr');
    if (row.dataset.state !== state) {
      row.dataset.key = key;
      row.dataset.state = state;
      row.replaceChildren(...cellsOf(entry));
    }
    return row;
  });
  const same = wanted.length === body.rows.length && wanted.every((row, n) => body.rows[n] === row);
  if (!same) {
    const focused = document.activeElement;
    body.replaceChildren(...wanted);
    if (body.contains(focused)) {
      focused.focus({ preventScroll: true });
    }
  }
  table.hidden = wanted.length === 0;
  table.closest('section').querySelector('.empty').hidden = wanted.length > 0;
}

function cell(text, name) {
  const td = document.createElement('td');
  td.textContent = text;
  if (name) {
    td.className = name;
  }
  return td;
}

const number = (value) => cell(value, 'number');
const short = (value) => cell(value, 'short');

function mark(text, kind) {
  const td = document.createElement('td');
  const span = document.createElement('span');
  span.className = `mark ${kind}`;
  span.textContent = text;
  td.append(span);
  return td;
}

const STATUS = { PLACED: ['… placed', 'busy'], SHIPPED: ['✓ shipped', 'good'], CANCELLED: ['✗ cancelled', 'bad'] };

function orderCells(order) {
  const action = document.createElement('td');
  if (order.status !== 'CANCELLED') {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Cancel';
    button.setAttribute('aria-label', `Cancel order ${order.id}`);
    button.addEventListener('click', () => cancel(order.id, button));
    action.append(button);
  }
  return [
    short(order.id), cell(order.customer, 'wide'), cell(order.item), cell(order.quantity, 'number wide'),
    mark(...STATUS[order.status]), action,
  ];
}

/* ---- doing ---- */

async function cancel(id, button) {
  button.disabled = true;
  try {
    await ask(`orders/${id}/cancel`, { method: 'POST' });
    say('said', `Order ${id} is cancelled. This is its second event, delivered after the first.`);
  } catch (error) {
    button.disabled = false;
    say('said', error.message, true);
  }
  look();
}

async function submit(event) {
  event.preventDefault();
  const form = event.target;
  const typed = form.quantity.value.trim();
  const quantity = typed !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed;
  mind(form, []);
  try {
    const order = await place({ customer: form.customer.value, item: form.item.value, quantity });
    say('said', `Order ${order.id} is placed.`);
  } catch (error) {
    mind(form, error.problem?.errors ?? []);
    say('said', error.message, true);
  }
  look();
}

function mind(form, errors) {
  for (const field of ['customer', 'item', 'quantity']) {
    const wrong = errors.find((error) => error.field === field);
    byId(`${field}-problem`).textContent = wrong ? `${field} ${wrong.problem}` : '';
    form[field].setAttribute('aria-invalid', String(Boolean(wrong)));
  }
  const first = errors.find((error) => form[error.field]);
  if (first) {
    form[first.field].focus();
  }
}

async function quick(button) {
  const times = Number(button.dataset.times ?? 1);
  const order = { customer: 'ada', item: button.dataset.item, quantity: 1 };
  button.disabled = true;
  let placed = 0;
  let refused = null;
  let left = times;
  const worker = async () => {
    while (left-- > 0 && !refused) {
      try {
        const answer = await place(order);
        placed++;
        say('said', times === 1 ? `Order ${answer.id} (${answer.item}) is placed.` : `${placed} of ${times} orders are placed.`);
      } catch (error) {
        refused = error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, times) }, worker));
  if (refused) {
    say('said', times === 1 ? refused.message : `${placed} of ${times} orders are placed, then: ${refused.message}`, true);
  }
  button.disabled = false;
  look();
}

function say(id, text, wrong = false) {
  const place = byId(id);
  write(place, text);
  place.classList.toggle('wrong', wrong);
}

function pause() {
  paused = !paused;
  const button = byId('pause');
  button.setAttribute('aria-pressed', String(paused));
  button.textContent = paused ? 'Go on' : 'Pause';
  say('state', paused ? 'Paused: the lists are not updated, the shop keeps running.' : 'Live.');
  if (!paused) {
    look();
  } else {
    clearTimeout(timer);
  }
}

/* ---- start ---- */

byId('order').addEventListener('submit', submit);
document.querySelectorAll('.quick button').forEach((button) => button.addEventListener('click', () => quick(button)));
byId('pause').addEventListener('click', pause);
document.addEventListener('visibilitychange', () => (document.hidden || paused ? clearTimeout(timer) : look()));
byId('address').textContent = new URL('orders', SHOP).href;
look();
