"""Makes a self-signed certificate, so that a phone's browser lets our page use its camera.

Browsers allow that only over HTTPS, and nobody certifies a computer in a living room. So the table makes a certificate
for its names and addresses, keeps it in the data folder, and replaces it when those change or it is about to expire.
Each phone asks its owner once whether to continue; the page says why.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from files.atomic import write_whole

LASTS = timedelta(days=397)
"""How long a certificate holds: browsers refuse ones that hold longer than 398 days."""

RENEWED = timedelta(days=30)
"""How long before its end another is made."""

ALWAYS = ("localhost", "127.0.0.1", "::1")

CHECKED_EVERY = 20.0
"""Seconds between two looks at whether the addresses are still the same."""

NAME = "certificate.pem"


class LocalCertificate:
    """The certificate in a folder, and the TLS context that uses it. Safe from any thread."""

    def __init__(
        self,
        folder: Path,
        hosts: Callable[[], Sequence[str]],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`hosts` gives the names and addresses it must hold for now. Makes or renews it at once.

        Raises:
            OSError: the folder cannot be written.
        """
        self._path = folder / NAME
        self._hosts, self._now, self._clock = hosts, now, clock
        self._lock = threading.Lock()
        self._checked = clock()
        self._context = self._made()

    def context(self) -> ssl.SSLContext:
        """The context to serve with now; another one after the certificate was renewed."""
        with self._lock:
            if self._clock() - self._checked > CHECKED_EVERY:
                self._checked = self._clock()
                try:
                    if not self._fits():
                        self._context = self._made()
                except OSError:
                    pass  # the disk refuses: the one we have serves on
            return self._context

    def _made(self) -> ssl.SSLContext:
        if not self._fits():
            self._write()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self._path)
        return context

    def _fits(self) -> bool:
        """Whether the stored one is valid, valid long enough, and has all current names."""
        try:
            kept = self._path.read_bytes()
            certificate = x509.load_pem_x509_certificate(kept)
            key = serialization.load_pem_private_key(kept, None)
            certificate.verify_directly_issued_by(certificate)
            named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except (
            OSError,
            ValueError,
            TypeError,
            InvalidSignature,
            UnsupportedAlgorithm,
            x509.ExtensionNotFound,
        ):
            return False
        private = os.name == "nt" or self._path.stat().st_mode & 0o077 == 0
        ours = key.public_key() == certificate.public_key()
        now = self._now()
        in_time = certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - RENEWED
        there = {str(name) for name in named.get_values_for_type(x509.DNSName)}
        there |= {str(address) for address in named.get_values_for_type(x509.IPAddress)}
        return private and ours and in_time and there >= {*ALWAYS, *self._hosts()}

    def _write(self) -> None:
        """Make a certificate and its key, and put both in the file at once, for nobody else to read."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tableside, a table in this house")])
        names = dict.fromkeys((*self._hosts(), *ALWAYS))
        now = self._now()
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))  # a phone's clock may be behind
            .not_valid_after(now + LASTS - timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([_general(one) for one in names]), critical=False)
            # It vouches for itself alone: whoever installs it trusts this table, not others in its name.
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .sign(key, hashes.SHA256())
        )
        pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)
        write_whole(self._path, private + certificate.public_bytes(pem))


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
