"""Computes vectors.json with hmac of Python's library and AEADs of the package cryptography."""
import hashlib, hmac, json
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

def mac(key, data): return hmac.new(key, data, hashlib.sha256).digest()

def expand(prk, info, n):
    out, block, i = b"", b"", 1
    while len(out) < n:
        block = mac(prk, block + info + bytes([i]))
        out, i = out + block, i + 1
    return out[:n]

def vector(token, protocol, start, to, epoch, mode, suite, counter, payload):
    prk = mac(b"sctpmpi seal 1 " + protocol.encode(), token)
    info = b"sctpmpi seal 1 record\0" + start + to + epoch.to_bytes(8, "big") + bytes([mode, suite])
    size = 16 if suite == 1 else 32
    key = expand(prk, info, size + 12)
    aead = (AESGCM if suite == 1 else ChaCha20Poly1305)(key[:size])
    nonce = (int.from_bytes(key[size:], "big") ^ counter).to_bytes(12, "big")
    header = b"head" + counter.to_bytes(8, "big")
    if mode == 1:
        record = header + payload + aead.encrypt(nonce, b"", header + payload)
    else:
        record = header + aead.encrypt(nonce, payload, header)
    return dict(token=token.hex(), protocol=protocol, to=to.hex(), epoch=epoch, mode=mode, suite=suite, counter=counter,
                payload=payload.hex(), record=record.hex()) | {"from": start.hex()}

print(json.dumps([
    vector(bytes(range(32)), "vectors/1", bytes(range(16)), bytes(range(16, 32)), epoch, mode, suite, counter, payload)
    for epoch, counter, payload in [(0, 0, b""), (0, 0, b"hello"), (1, 1, bytes(64)), (2**63, 2**27 - 1, bytes(range(256)))]
    for mode in (1, 2) for suite in (1, 2)
], indent=1))
